// Processes of this program, and sockets that pass descriptors to them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// The arguments of this process as the kernel gave them, with the program's name first, up to a null pointer. Swift's
/// `CommandLine` searches for them beside the environment, and has none once a preloaded library has called setenv(3).
char *const *clinux_arguments(void);

/// The environment, up to a null pointer; null after clearenv(3), for which Swift's `environ` ends the process.
char *const *clinux_environment(void);

/// Starts this program again (posix_spawn(3)), with these arguments and, of the descriptors from 3 on, this one alone, as
/// its descriptor 3. Returns the process, or -1 with errno.
pid_t clinux_start_again(char *const values[], int descriptor);

/// Gives this process mounts of its own (unshare(2)). It must have one thread, and CAP_SYS_ADMIN. Returns 0, or -1 with errno.
int clinux_own_mounts(void);

/// Puts memory in the place of a folder (tmpfs(5)). Returns 0, or -1 with errno.
int clinux_mount_memory(const char *folder);

/// Shows an open folder at another place (mount(2), MS_BIND). Returns 0, or -1 with errno.
int clinux_bind_folder(int folder, const char *place);

/// fork(2), for a process with one thread.
pid_t clinux_fork(void);

/// Has the kernel kill this process when its parent ends (prctl(2), PR_SET_PDEATHSIG). False if it has ended already.
bool clinux_end_with(pid_t parent);

/// Waits until there is something to read, or the end; false after a signal, or so many seconds unless they are negative.
/// Signals that are blocked come meanwhile (ppoll(2)).
bool clinux_wait_for_input_or_signal(int descriptor, int seconds);

/// Sends a message with up to 64 descriptors (unix(7), SCM_RIGHTS). Returns its length, or -1 with errno.
ssize_t clinux_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, size_t number);

/// Receives a message and the descriptors with it; `number` is first how many there is room for, at most 64. Returns its
/// length, 0 at the end, or -1 with errno.
ssize_t clinux_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, size_t *number);
