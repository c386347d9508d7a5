#include "waiter_pool.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace mcp::detail {

namespace {

constexpr std::size_t kMaxThreads = 16;

// A future can't be waited for together with anything else, so each wait is short: for one's turn among many, and for the
// end of the pool.
constexpr std::chrono::milliseconds kSlice{20};
// While others wait for a thread.
constexpr std::chrono::milliseconds kShortSlice{2};
// A thread that has nothing to wait for ends after this time.
constexpr std::chrono::seconds kIdle{5};

struct Item {
    std::future<CallToolResult> future;
    std::function<void(std::future<CallToolResult>)> answer;
};

}  // namespace

class WaiterPool::State : public std::enable_shared_from_this<State> {
public:
    void Add(Item item) {
        std::unique_lock<std::mutex> lock(mutex_);
        if (stopped_) {
            lock.unlock();
            return;
        }
        if (idle_ <= queue_.size() && running_ < kMaxThreads) {
            Reap();
            try {
                threads_.emplace_back([self = shared_from_this()] { self->Run(); });
                ++running_;
            } catch (...) {
                // The threads that there are do it, later.
                if (running_ == 0) {
                    throw;
                }
            }
        }
        queue_.push_back(std::move(item));
        changed_.notify_one();
    }

    void Stop() noexcept {
        std::deque<Item> dropped;
        std::vector<std::thread> threads;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            stopped_ = true;
            dropped.swap(queue_);
            threads.swap(threads_);
        }
        changed_.notify_all();
        for (std::thread& thread : threads) {
            // The last owner of a server may be what one of these threads has just answered.
            if (thread.get_id() == std::this_thread::get_id()) {
                thread.detach();
            } else {
                thread.join();
            }
        }
    }

private:
    void Run() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!stopped_) {
            if (queue_.empty()) {
                ++idle_;
                const bool woken = changed_.wait_for(lock, kIdle, [this] { return stopped_ || !queue_.empty(); });
                --idle_;
                if (!woken) {
                    break;
                }
                continue;
            }
            Item item = std::move(queue_.front());
            queue_.pop_front();
            const auto slice = queue_.empty() ? kSlice : kShortSlice;
            lock.unlock();
            const bool ready = item.future.wait_for(slice) == std::future_status::ready;
            if (ready) {
                item.answer(std::move(item.future));
            }
            lock.lock();
            if (!ready && !stopped_) {
                queue_.push_back(std::move(item));
                continue;
            }
            // What an item holds is the host's, and is not to be freed under a lock of ours.
            lock.unlock();
            item = Item();
            lock.lock();
        }
        --running_;
        ended_.push_back(std::this_thread::get_id());
    }

    // Joins threads that have ended.
    void Reap() {
        for (std::size_t i = 0; i < threads_.size();) {
            bool ended = false;
            for (std::size_t k = 0; k < ended_.size(); ++k) {
                if (ended_[k] == threads_[i].get_id()) {
                    ended_.erase(ended_.begin() + static_cast<std::ptrdiff_t>(k));
                    ended = true;
                    break;
                }
            }
            if (ended) {
                threads_[i].join();
                threads_.erase(threads_.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Item> queue_;
    std::vector<std::thread> threads_;
    std::vector<std::thread::id> ended_;
    std::size_t running_{0};
    std::size_t idle_{0};
    bool stopped_{false};
};

WaiterPool::WaiterPool() : state_(std::make_shared<State>()) {}

WaiterPool::~WaiterPool() { Stop(); }

void WaiterPool::Add(std::future<CallToolResult> future, std::function<void(std::future<CallToolResult>)> answer) {
    state_->Add(Item{std::move(future), std::move(answer)});
}

void WaiterPool::Stop() noexcept { state_->Stop(); }

}  // namespace mcp::detail
