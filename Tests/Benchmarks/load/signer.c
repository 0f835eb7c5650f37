/* Google on this machine, for measurements: signer CERTIFICATE KEY. It prints two ports: one for IAM Credentials signJwt and
   account's published keys by HTTP/2 over TLS, and one for a metadata server by HTTP/1.1, which also answers GET /figures.

   A signature is answered after 50 ms, one of a hundred after 500 ms, and one of a thousand never; the metadata server answers
   after 5 ms. SIGUSR1 begins an outage, in which every signature is answered with 503, and SIGUSR2 ends it.

   The modulus has 2,048 bits, as that of Google's keys, but sixteen primes: it signs in a fifth of the time, so that a core can
   sign for a daemon on another one and has time left for the load. Verification takes the usual time. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { PRIMES = 16, BYTES = 256, STREAMS = 100, SECONDS = 3600 };
enum delay { AT_ONCE, METADATA, USUAL, SLOW, DELAYS };
static const double SECONDS_OF[] = {0, 0.005, 0.05, 0.5};
static const char ACCOUNT[] = "driver-tokens@benchmark.iam.gserviceaccount.com";
static const char KEY_ID[] = "0123456789abcdef0123456789abcdef01234567";

struct bytes {
    char *start;
    size_t count, room;
};

struct connection {
    int fd, is_open, streams;
    SSL *ssl;                 /* NULL for HTTP/1.1 */
    nghttp2_session *session; /* NULL until the handshake is done */
    struct bytes in, out;
};

/* A request and its answer. */
struct exchange {
    struct connection *connection;
    struct exchange *next;
    double due;
    int stream, is_open, waits;
    char path[256];
    struct bytes body, answer;
    size_t sent;
};

static volatile sig_atomic_t is_down;
static int poller;
static SSL_CTX *context;
static double begun;
static struct { struct exchange *first, *last; } waiting[DELAYS];
static long signatures, refused, connections, open_streams, most_streams, arrivals[SECONDS];

static void fail(const char *what) {
    perror(what);
    exit(2);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void append(struct bytes *bytes, const void *start, size_t count) {
    if (bytes->count + count > bytes->room) {
        bytes->room = 2 * (bytes->count + count);
        if (!(bytes->start = realloc(bytes->start, bytes->room))) fail("realloc");
    }
    memcpy(bytes->start + bytes->count, start, count);
    bytes->count += count;
}

static void append_text(struct bytes *bytes, const char *text) { append(bytes, text, strlen(text)); }

static void append_number(struct bytes *bytes, long number) {
    char text[32];
    append(bytes, text, sprintf(text, "%ld", number));
}

static void append_base64url(struct bytes *bytes, const void *start, size_t count) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const unsigned char *from = start;
    for (size_t index = 0; index < count; index += 3) {
        size_t left = count - index;
        unsigned group = from[index] << 16 | (left > 1 ? from[index + 1] << 8 : 0) | (left > 2 ? from[index + 2] : 0);
        char four[] = {letters[group >> 18], letters[group >> 12 & 63], letters[group >> 6 & 63], letters[group & 63]};
        append(bytes, four, left > 2 ? 4 : left + 1);
    }
}

/* The key. */

static struct {
    BIGNUM *prime, *exponent, *coefficient;
    BN_MONT_CTX *montgomery;
} parts[PRIMES];
static BIGNUM *modulus, *product, *sum;
static BN_CTX *scratch;

static void prepare(int index, const BIGNUM *public_exponent) {
    BIGNUM *prime = parts[index].prime, *exponent = BN_dup(prime), *others = BN_new(), *inverse = BN_new();
    BN_sub_word(exponent, 1);
    parts[index].exponent = BN_mod_inverse(NULL, public_exponent, exponent, scratch);
    parts[index].montgomery = BN_MONT_CTX_new();
    BN_MONT_CTX_set(parts[index].montgomery, prime, scratch);
    /* 1 modulo this prime and 0 modulo the others. */
    BN_div(others, NULL, modulus, prime, scratch);
    BN_mod_inverse(inverse, others, prime, scratch);
    BN_mul(parts[index].coefficient = BN_new(), others, inverse, scratch);
    BN_free(exponent), BN_free(others), BN_free(inverse);
}

static void make_key(void) {
    BIGNUM *public_exponent = BN_new();
    BN_set_word(public_exponent, 65537);
    scratch = BN_CTX_new(), modulus = BN_new(), product = BN_new(), sum = BN_new();
    for (int index = 0; index < PRIMES; index++) parts[index].prime = BN_new();
    while (BN_num_bits(modulus) < 8 * BYTES) {
        /* The smallest prime is replaced until the product is long enough. */
        int smallest = 0;
        BN_one(modulus);
        for (int index = 0; index < PRIMES; index++) {
            BIGNUM *prime = parts[index].prime;
            while (BN_is_zero(prime) || BN_mod_word(prime, 65537) == 1)
                BN_generate_prime_ex(prime, 8 * BYTES / PRIMES, 0, NULL, NULL, NULL);
            BN_mul(modulus, modulus, prime, scratch);
            if (BN_cmp(prime, parts[smallest].prime) < 0) smallest = index;
        }
        if (BN_num_bits(modulus) < 8 * BYTES) BN_zero(parts[smallest].prime);
    }
    for (int index = 0; index < PRIMES; index++) prepare(index, public_exponent);
    BN_free(public_exponent);
}

/* RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2). */
static void append_signature(struct bytes *bytes, const void *message, size_t count) {
    static const unsigned char info[] = "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20";
    enum { HASH = BYTES - 32, INFO = HASH - (int)sizeof info + 1 };
    unsigned char padded[BYTES] = {0, 1};
    memset(padded + 2, 0xff, INFO - 3);
    memcpy(padded + INFO, info, sizeof info - 1);
    SHA256(message, count, padded + HASH);
    BIGNUM *number = BN_bin2bn(padded, BYTES, NULL);
    BN_zero(sum);
    for (int index = 0; index < PRIMES; index++) {
        BN_mod(product, number, parts[index].prime, scratch);
        BN_mod_exp_mont(product, product, parts[index].exponent, parts[index].prime, scratch, parts[index].montgomery);
        BN_mul(product, product, parts[index].coefficient, scratch);
        BN_add(sum, sum, product);
    }
    BN_mod(sum, sum, modulus, scratch);
    BN_bn2binpad(sum, padded, BYTES);
    BN_free(number);
    append_base64url(bytes, padded, BYTES);
}

/* Answers. */

static void append_key_set(struct bytes *answer) {
    unsigned char number[BYTES];
    BN_bn2binpad(modulus, number, BYTES);
    append_text(answer, "{\"keys\":[{\"kty\":\"RSA\",\"alg\":\"RS256\",\"use\":\"sig\",\"e\":\"AQAB\",\"kid\":\"");
    append_text(answer, KEY_ID), append_text(answer, "\",\"n\":\"");
    append_base64url(answer, number, BYTES), append_text(answer, "\"}]}");
}

/* Unescapes the member "payload" in place and returns where it ends. Only what the daemon writes is expected. */
static char *payload(char *body, char **start) {
    static const char name[] = "{\"payload\":\"";
    if (strncmp(body, name, sizeof name - 1) != 0) fail("unexpected body");
    char *from = *start = body + sizeof name - 1, *to = from;
    for (; *from && *from != '"'; from++) {
        if (*from == '\\' && !strchr("\"\\/", *++from)) fail("unexpected escape");
        *to++ = *from;
    }
    return to;
}

static void append_token(struct bytes *answer, struct bytes *body) {
    static struct bytes jwt;
    static const char header[] = "{\"alg\":\"RS256\",\"kid\":\"0123456789abcdef0123456789abcdef01234567\",\"typ\":\"JWT\"}";
    append(body, "", 1);
    char *start, *end = payload(body->start, &start);
    jwt.count = 0;
    append_base64url(&jwt, header, sizeof header - 1), append(&jwt, ".", 1);
    append_base64url(&jwt, start, end - start);
    size_t count = jwt.count;
    append(&jwt, ".", 1), append_signature(&jwt, jwt.start, count);
    append_text(answer, "{\"keyId\":\""), append_text(answer, KEY_ID);
    append_text(answer, "\",\"signedJwt\":\""), append(answer, jwt.start, jwt.count), append_text(answer, "\"}");
}

static void append_figures(struct bytes *answer) {
    struct { const char *name; long value; } values[] = {
        {"signatures", signatures}, {"refused", refused}, {"connections", connections},
        {"most_in_flight", most_streams}};
    for (int index = 0; index < 4; index++) {
        append_text(answer, index ? ",\"" : "{\""), append_text(answer, values[index].name), append_text(answer, "\":");
        append_number(answer, values[index].value);
    }
    /* The calls of each second since the start. */
    append_text(answer, ",\"calls\":[");
    for (int second = 0; second <= (int)(now() - begun); second++) {
        if (second) append(answer, ",", 1);
        append_number(answer, arrivals[second]);
    }
    append_text(answer, "]}");
}

static void flush(struct connection *connection);

static void wait_for(struct exchange *exchange, enum delay delay) {
    exchange->waits = 1, exchange->due = now() + SECONDS_OF[delay];
    if (waiting[delay].last) waiting[delay].last->next = exchange;
    else waiting[delay].first = exchange;
    waiting[delay].last = exchange;
}

static void release(struct exchange *exchange) {
    if (exchange->is_open || exchange->waits) return;
    free(exchange->body.start), free(exchange->answer.start), free(exchange);
}

/* HTTP/2. */

static ssize_t read_answer(
    nghttp2_session *session, int32_t stream, uint8_t *to, size_t room, uint32_t *flags, nghttp2_data_source *source,
    void *user) {
    struct exchange *exchange = source->ptr;
    size_t left = exchange->answer.count - exchange->sent, count = left < room ? left : room;
    memcpy(to, exchange->answer.start + exchange->sent, count);
    exchange->sent += count;
    if (count == left) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return count;
}

static int is_signature(struct exchange *exchange) { return strstr(exchange->path, ":signJwt") != NULL; }

static void answer_stream(struct exchange *exchange) {
    int fails = is_down && is_signature(exchange);
    if (fails) {
        append_text(&exchange->answer, "{\"error\":{\"code\":503,\"message\":\"down\",\"status\":\"UNAVAILABLE\"}}");
        refused++;
    } else if (is_signature(exchange)) {
        append_token(&exchange->answer, &exchange->body);
        signatures++;
    } else {
        append_key_set(&exchange->answer);
    }
    nghttp2_nv fields[] = {
        {(uint8_t *)":status", (uint8_t *)(fails ? "503" : "200"), 7, 3},
        {(uint8_t *)"content-type", (uint8_t *)"application/json", 12, 16}};
    nghttp2_data_provider body = {.source.ptr = exchange, .read_callback = read_answer};
    nghttp2_submit_response(exchange->connection->session, exchange->stream, fields, 2, &body);
}

static void arrange_answer(struct exchange *exchange) {
    static long calls;
    if (!is_signature(exchange)) return wait_for(exchange, AT_ONCE);
    int second = now() - begun;
    if (second < SECONDS) arrivals[second]++;
    if (is_down) return wait_for(exchange, AT_ONCE);
    if (++calls % 1000 != 0) wait_for(exchange, calls % 100 == 50 ? SLOW : USUAL);
}

static int begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *connection) {
    struct exchange *exchange = calloc(1, sizeof *exchange);
    exchange->connection = connection, exchange->stream = frame->hd.stream_id, exchange->is_open = 1;
    exchange->connection->streams++;
    if (++open_streams > most_streams) most_streams = open_streams;
    return nghttp2_session_set_stream_user_data(session, exchange->stream, exchange);
}

static int take_header(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_count, const uint8_t *value,
    size_t count, uint8_t flags, void *connection) {
    struct exchange *exchange = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (name_count == 5 && memcmp(name, ":path", 5) == 0 && count < sizeof exchange->path)
        memcpy(exchange->path, value, count);
    return 0;
}

static int take_data(
    nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *data, size_t count, void *connection) {
    struct exchange *exchange = nghttp2_session_get_stream_user_data(session, stream);
    append(&exchange->body, data, count);
    return 0;
}

static int take_frame(nghttp2_session *session, const nghttp2_frame *frame, void *connection) {
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
        arrange_answer(nghttp2_session_get_stream_user_data(session, frame->hd.stream_id));
    return 0;
}

static int end_stream(nghttp2_session *session, int32_t stream, uint32_t code, void *connection) {
    struct exchange *exchange = nghttp2_session_get_stream_user_data(session, stream);
    if (!exchange) return 0;
    exchange->is_open = 0, exchange->connection->streams--, open_streams--;
    release(exchange);
    return 0;
}

static void begin_session(struct connection *connection) {
    nghttp2_session_callbacks *callbacks;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, take_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, take_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, take_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, end_stream);
    nghttp2_session_server_new(&connection->session, callbacks, connection);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_settings_entry settings = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, STREAMS};
    nghttp2_submit_settings(connection->session, NGHTTP2_FLAG_NONE, &settings, 1);
    connections++;
}

/* The metadata server and the figures, by HTTP/1.1. */

static void take_request(struct connection *connection) {
    append(&connection->in, "", 1);
    char *end = strstr(connection->in.start, "\r\n\r\n");
    connection->in.count = end ? 0 : connection->in.count - 1;
    if (!end) return;
    struct exchange *exchange = calloc(1, sizeof *exchange);
    exchange->connection = connection;
    sscanf(connection->in.start, "GET %255s", exchange->path);
    wait_for(exchange, strcmp(exchange->path, "/figures") == 0 ? AT_ONCE : METADATA);
}

static void answer_request(struct exchange *exchange) {
    struct bytes *out = &exchange->connection->out, *body = &exchange->answer;
    if (strcmp(exchange->path, "/figures") == 0) append_figures(body);
    else if (strstr(exchange->path, "/email")) append_text(body, ACCOUNT);
    else append_text(body, "{\"access_token\":\"ya29.benchmark\",\"expires_in\":3599,\"token_type\":\"Bearer\"}");
    append_text(out, "HTTP/1.1 200 OK\r\nMetadata-Flavor: Google\r\nContent-Type: application/json\r\nContent-Length: ");
    append_number(out, body->count);
    append_text(out, "\r\n\r\n"), append(out, body->start, body->count);
}

/* Connections. They are never freed, because exchanges may still wait. */

static void end(struct connection *connection) {
    if (connection->is_open) close(connection->fd);
    open_streams -= connection->streams;
    connection->is_open = connection->streams = 0;
}

static int would_block(struct connection *connection, int result) {
    if (!connection->ssl) return result < 0 && errno == EAGAIN;
    int error = SSL_get_error(connection->ssl, result);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static void flush(struct connection *connection) {
    struct bytes *out = &connection->out;
    const uint8_t *frames;
    ssize_t count;
    while (connection->session && (count = nghttp2_session_mem_send(connection->session, &frames)) > 0)
        append(out, frames, count);
    while (connection->is_open && out->count > 0) {
        ERR_clear_error();
        int sent = connection->ssl ? SSL_write(connection->ssl, out->start, out->count)
                                   : write(connection->fd, out->start, out->count);
        if (sent <= 0 && would_block(connection, sent)) return;
        if (sent <= 0) return end(connection);
        memmove(out->start, out->start + sent, out->count -= sent);
    }
}

static void continue_connection(struct connection *connection) {
    static char bytes[65536];
    int count;
    for (;;) {
        ERR_clear_error();
        count = connection->ssl ? SSL_read(connection->ssl, bytes, sizeof bytes) : read(connection->fd, bytes, sizeof bytes);
        if (count <= 0) break;
        if (connection->ssl && !connection->session) begin_session(connection);
        if (!connection->ssl) append(&connection->in, bytes, count), take_request(connection);
        else if (nghttp2_session_mem_recv(connection->session, (uint8_t *)bytes, count) < 0) break;
    }
    if (!would_block(connection, count)) return end(connection);
    if (connection->ssl && !connection->session && SSL_is_init_finished(connection->ssl)) begin_session(connection);
    flush(connection);
}

static int listener(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 1024) != 0) fail("listen");
    getsockname(fd, (struct sockaddr *)&address, &size);
    *port = ntohs(address.sin_port);
    return fd;
}

static void accept_all(int listener, int is_secure) {
    int fd, on = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        struct connection *connection = calloc(1, sizeof *connection);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connection->fd = fd, connection->is_open = 1;
        if (is_secure) {
            connection->ssl = SSL_new(context);
            SSL_set_fd(connection->ssl, fd);
            SSL_set_accept_state(connection->ssl);
        }
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = connection};
        epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
    }
}

static int choose_http2(
    SSL *ssl, const unsigned char **chosen, unsigned char *count, const unsigned char *offered, unsigned offered_count,
    void *user) {
    int found = nghttp2_select_next_protocol((unsigned char **)chosen, count, offered, offered_count);
    return found == 1 ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* Answers what is due; returns the milliseconds until more is. */
static int answer_due(void) {
    double time = now(), next = time + 1;
    for (int delay = 0; delay < DELAYS; delay++) {
        struct exchange *exchange;
        while ((exchange = waiting[delay].first) && exchange->due <= time) {
            struct connection *connection = exchange->connection;
            if (!(waiting[delay].first = exchange->next)) waiting[delay].last = NULL;
            if (connection->is_open && !connection->ssl) answer_request(exchange);
            if (connection->is_open && exchange->is_open) answer_stream(exchange);
            flush(connection);
            exchange->waits = 0;
            release(exchange);
        }
        if (exchange && exchange->due < next) next = exchange->due;
    }
    return (next - now()) * 1000 + 1;
}

static void begin_outage(int signal) { is_down = 1; }
static void end_outage(int signal) { is_down = 0; }

int main(int count, char **arguments) {
    if (count != 3) return 2;
    signal(SIGUSR1, begin_outage), signal(SIGUSR2, end_outage), signal(SIGPIPE, SIG_IGN);
    make_key();
    begun = now();
    context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(context, arguments[1]) != 1) fail(arguments[1]);
    if (SSL_CTX_use_PrivateKey_file(context, arguments[2], SSL_FILETYPE_PEM) != 1) fail(arguments[2]);
    SSL_CTX_set_alpn_select_cb(context, choose_http2, NULL);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    int ports[2], listeners[] = {listener(&ports[0]), listener(&ports[1])};
    poller = epoll_create1(0);
    for (int index = 0; index < 2; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &listeners[index]};
        epoll_ctl(poller, EPOLL_CTL_ADD, listeners[index], &event);
    }
    printf("%d %d\n", ports[0], ports[1]), fflush(stdout);
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(poller, events, 64, answer_due());
        for (int index = 0; index < ready; index++) {
            int *listening = events[index].data.ptr;
            if (listening == &listeners[0] || listening == &listeners[1]) accept_all(*listening, listening == listeners);
            else continue_connection(events[index].data.ptr);
        }
    }
}
