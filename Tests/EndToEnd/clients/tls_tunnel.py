"""Carries plain connections to a server by TLS, so that clients that know none can ask there: tls_tunnel.py PORT CA.

It prints the port at which it listens, and goes on until it is ended.
"""
import select
import socket
import ssl
import sys
import threading

server, context = int(sys.argv[1]), ssl.create_default_context(cafile=sys.argv[2])


def serve(client):
    """Carries both directions, in one thread as a TLS connection has to be, until both have ended."""
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    plain = socket.create_connection(("127.0.0.1", server))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client, context.wrap_socket(plain, server_hostname="localhost") as secure:
        secure.setblocking(False)
        sources = {client: secure, secure: client}
        while sources:
            waiting = secure in sources and secure.pending()
            for source in [secure] if waiting else select.select(list(sources), [], [])[0]:
                try:
                    part = source.recv(65536)
                    send(sources[source], part)
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    continue
                except OSError:
                    return
                if not part:
                    end(sources.pop(source))


def send(target, part):
    while part:
        try:
            part = part[target.send(part):]
        except ssl.SSLWantWriteError:
            select.select([], [target], [])


def end(target):
    """Tells one side that nothing more comes, and goes on hearing it."""
    try:
        socket.socket.shutdown(target, socket.SHUT_WR)
    except OSError:
        pass


with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
    print(listener.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
