#define _POSIX_C_SOURCE 200809L

#include "children.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/text.h"

extern char **environ;

long child_read(void) {
    FILE *child = popen("cat", "r");
    if (child == NULL) {
        return -1;
    }
    char buffer[4096];
    size_t count = 0, read = 0;
    while ((read = fread(buffer, 1, sizeof(buffer), child)) > 0) {
        count += read;
    }
    return pclose(child) == 0 ? (long)count : -1;
}

bool child_echo(mcp_str text) {
    // An argument ends at the first zero byte, and can't have one.
    if (text.len > 0 && memchr(text.ptr, '\0', text.len) != NULL) {
        return false;
    }
    char name[] = "echo";
    char *argument = text_format("%.*s", (int)text.len, text.len > 0 ? text.ptr : "");
    char *arguments[] = {name, argument, NULL};
    pid_t child;
    int status = -1;
    bool started = posix_spawnp(&child, name, NULL, NULL, arguments, environ) == 0;
    bool ended = started && waitpid(child, &status, 0) == child;
    free(argument);
    return ended;
}
