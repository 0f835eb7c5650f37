"""Carries plain connections to a server by TLS, so that clients that know none can ask there: tls_tunnel.py PORT CA.

It prints the port at which it listens, and goes on until it is ended.
"""
import socket
import ssl
import sys
import threading

server, context = int(sys.argv[1]), ssl.create_default_context(cafile=sys.argv[2])


def carry(source, target):
    """Carries one direction to its end, which the other side is told."""
    try:
        while part := source.recv(65536):
            target.sendall(part)
    except (OSError, ssl.SSLError):
        pass
    try:
        socket.socket.shutdown(target, socket.SHUT_WR)
    except OSError:
        pass


def serve(client):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    plain = socket.create_connection(("127.0.0.1", server))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client, context.wrap_socket(plain, server_hostname="localhost") as secure:
        back = threading.Thread(target=carry, args=(secure, client))
        back.start()
        carry(client, secure)
        back.join()


with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
    print(listener.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
