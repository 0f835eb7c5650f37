#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library has no functions for these calls, and the headers of older systems lack what newer kernels can limit:
// the values are those of linux/landlock.h.
enum { VERSION = 1, PATH_BENEATH = 1, NETWORK_PORT = 2 };

int clinux_landlock_version(void) { return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION); }

int clinux_landlock_create(const struct clinux_landlock_limits *limits) {
    // A kernel that knows fewer members accepts the others as long as they are 0.
    return (int)syscall(SYS_landlock_create_ruleset, limits, sizeof *limits, 0);
}

int clinux_open_place(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int clinux_landlock_allow_path(int ruleset, int path, uint64_t rights) {
    struct {
        uint64_t rights;
        int32_t path;
    } __attribute__((packed)) rule = {.rights = rights, .path = path};
    return (int)syscall(SYS_landlock_add_rule, ruleset, PATH_BENEATH, &rule, 0);
}

int clinux_landlock_allow_port(int ruleset, uint16_t port, uint64_t rights) {
    struct {
        uint64_t rights, port;
    } rule = {.rights = rights, .port = port};
    return (int)syscall(SYS_landlock_add_rule, ruleset, NETWORK_PORT, &rule, 0);
}

int clinux_landlock_restrict(int ruleset) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}
