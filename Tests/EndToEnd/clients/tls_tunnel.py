"""Carries plain connections to a server by TLS, so that clients that know none can ask there: tls_tunnel.py PORT CA.

It prints the port at which it listens, and goes on until it is ended.
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
                    # It takes no more, and may have said why before.
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
    """Ends the client's connection as the other was ended: by a reset, not as if all had been said."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


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
