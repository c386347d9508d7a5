#pragma once

// One HTTP request at a time, over a loopback socket.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace test {

// A connection; `Ok` tells whether there is one.
class Socket {
public:
    explicit Socket(std::uint16_t port) : number_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ok_ = number_ >= 0 && ::connect(number_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    ~Socket() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    bool Ok() const { return ok_; }

    void Send(const std::string& text) { static_cast<void>(!::send(number_, text.data(), text.size(), MSG_NOSIGNAL)); }

    std::string ReadAll() {
        std::string all;
        char buffer[4096];
        ssize_t got = 0;
        while ((got = ::recv(number_, buffer, sizeof buffer, 0)) > 0) {
            all.append(buffer, static_cast<std::size_t>(got));
        }
        return all;
    }

private:
    int number_;
    bool ok_{false};
};

inline std::string Post(const std::string& body, const char* headers = "", const char* path = "/mcp") {
    return std::string("POST ") + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n" +
           "Accept: application/json, text/event-stream\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

// The whole answer, with its head; empty when nobody listens.
inline std::string Http(std::uint16_t port, const std::string& request) {
    Socket socket(port);
    if (!socket.Ok()) {
        return std::string();
    }
    socket.Send(request);
    return socket.ReadAll();
}

}  // namespace test
