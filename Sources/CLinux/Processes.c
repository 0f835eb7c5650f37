#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

extern char **environ;

static char *const no_arguments[] = {NULL};
static char *const *arguments = no_arguments;

/// glibc calls constructors with what main() gets.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    (void)count;
    arguments = values;
}

char *const *clinux_arguments(void) { return arguments; }

char *const *clinux_environment(void) { return environ; }

int clinux_own_mounts(void) {
    return unshare(CLONE_NEWNS) == 0 ? mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) : -1;
}

int clinux_mount_memory(const char *folder) {
    return mount("none", folder, "tmpfs", MS_NODEV | MS_NOEXEC | MS_NOSUID, "mode=755");
}

int clinux_bind_folder(int folder, const char *place) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    return mount(path, place, NULL, MS_BIND, NULL);
}

pid_t clinux_start_again(char *const values[], int descriptor) {
    posix_spawn_file_actions_t actions;
    pid_t process = -1;
    if ((errno = posix_spawn_file_actions_init(&actions)) != 0) return -1;
    int result = posix_spawn_file_actions_adddup2(&actions, descriptor, 3);
    if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    if (result == 0) result = posix_spawn(&process, "/proc/self/exe", &actions, NULL, values, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = result;
    return result == 0 ? process : -1;
}

pid_t clinux_fork(void) { return fork(); }

bool clinux_end_with(pid_t parent) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == parent; }

bool clinux_wait_for_input_or_signal(int descriptor, int seconds) {
    struct pollfd request = {.fd = descriptor, .events = POLLIN};
    const struct timespec limit = {.tv_sec = seconds};
    sigset_t none;
    sigemptyset(&none);
    return ppoll(&request, 1, seconds < 0 ? NULL : &limit, &none) > 0;
}

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST * sizeof(int))];
};

ssize_t clinux_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, size_t number) {
    if (number > MOST) {
        errno = EINVAL;
        return -1;
    }
    union control control;
    memset(&control, 0, sizeof control);
    struct iovec content = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (number > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(number * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(number * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, number * sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t clinux_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, size_t *number) {
    union control control;
    struct iovec content = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    size_t found = 0;
    for (struct cmsghdr *header = received < 0 ? NULL : CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const size_t here = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < here; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
            if (found < *number) descriptors[found++] = descriptor;
            else close(descriptor);
        }
    }
    *number = found;
    return received;
}
