/* Clients that make a TLS handshake and one request, disconnect and repeat: handshakes PORT CLIENTS SECONDS full|resumed, or
   visits FILE, where each request has a new id and the next line of the file as Authorization. Prints how many connections were answered, and how many of those resumed a session. */
#include <openssl/ssl.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static const char REQUEST[] = "GET /token?tripID=cached-0000 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

struct client {
    int fd, asked, answered;
    SSL *ssl;
    SSL_SESSION *session;
};

static SSL_CTX *context;
static int port, poller, resumes;
static long answers, resumptions, asked;
static FILE *visitors;

static void fail(const char *what) {
    perror(what);
    exit(2);
}

static void begin(struct client *client) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(client->fd, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    fcntl(client->fd, F_SETFL, O_NONBLOCK);
    client->ssl = SSL_new(context);
    SSL_set_fd(client->ssl, client->fd);
    if (resumes && client->session) SSL_set_session(client->ssl, client->session);
    SSL_set_connect_state(client->ssl);
    client->asked = client->answered = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    epoll_ctl(poller, EPOLL_CTL_ADD, client->fd, &event);
}

static void end(struct client *client) {
    if (!client->answered) fail("a client was not answered");
    answers++;
    resumptions += SSL_session_reused(client->ssl);
    if (resumes) {
        SSL_SESSION_free(client->session);
        client->session = SSL_get1_session(client->ssl);
    }
    SSL_set_shutdown(client->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(client->ssl);
    close(client->fd);
}

static void ask(struct client *client) {
    if (!visitors) {
        SSL_write(client->ssl, REQUEST, sizeof REQUEST - 1);
        return;
    }
    char line[4096], request[8192];
    if (!fgets(line, sizeof line, visitors)) fail("the file has too few lines");
    int count = snprintf(
        request, sizeof request,
        "GET /token?tripID=visit-%ld HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: %.*s\r\n\r\n",
        asked++, (int)strcspn(line, "\n"), line);
    SSL_write(client->ssl, request, count);
}

/* Continues as far as the socket allows; returns whether the client is done. */
static int step(struct client *client) {
    char answer[16384];
    if (!client->asked) {
        int result = SSL_do_handshake(client->ssl);
        if (result != 1) {
            if (SSL_get_error(client->ssl, result) != SSL_ERROR_WANT_READ) fail("handshake");
            return 0;
        }
        ask(client);
        client->asked = 1;
    }
    int count;
    while ((count = SSL_read(client->ssl, answer, sizeof answer)) > 0)
        if (memcmp(answer, "HTTP/1.1 200", 12) == 0) client->answered = 1;
    return SSL_get_error(client->ssl, count) != SSL_ERROR_WANT_READ;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 5 && count != 6) return 2;
    if (count == 6 && !(visitors = fopen(arguments[5], "r"))) fail(arguments[5]);
    port = atoi(arguments[1]);
    int clients = atoi(arguments[2]);
    double until = now() + atof(arguments[3]);
    resumes = strcmp(arguments[4], "resumed") == 0;
    context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    poller = epoll_create1(0);
    struct client *all = calloc(clients, sizeof *all);
    for (int index = 0; index < clients; index++) begin(&all[index]), step(&all[index]);
    struct epoll_event events[64];
    while (now() < until) {
        int ready = epoll_wait(poller, events, 64, 1000);
        for (int index = 0; index < ready; index++) {
            struct client *client = events[index].data.ptr;
            if (step(client)) end(client), begin(client), step(client);
        }
    }
    printf("%ld %ld\n", answers, resumptions);
    return 0;
}
