"""Carries plain connections to a server over TLS, for clients that do not speak it: tls_tunnel.py PORT CA.

It prints the port on which it listens, and runs until it is killed.
"""
import select
import socket
import ssl
import struct
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
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    continue
                except ConnectionResetError:
                    return reset(client)
                except OSError:
                    return
                if not send(sources[source], part):
                    # The target takes no more, but may have sent a reason before.
                    del sources[source]
                elif not part:
                    end(sources.pop(source))


def send(target, part):
    """Whether all of it was taken."""
    while part:
        try:
            part = part[target.send(part):]
        except ssl.SSLWantWriteError:
            select.select([], [target], [])
        except OSError:
            return False
    return True


def reset(client):
    """Resets the client's connection, as the server's was reset, instead of closing it in order."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def end(target):
    """Half-closes the connection to one side, which can still be read."""
    try:
        socket.socket.shutdown(target, socket.SHUT_WR)
    except OSError:
        pass


with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
    print(listener.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
