/* Preloaded, it has a program see a kernel without IPv6. */
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int socket(int family, int type, int protocol)
{
    if (family != AF_INET6) return (int)syscall(SYS_socket, family, type, protocol);
    errno = EAFNOSUPPORT;
    return -1;
}
