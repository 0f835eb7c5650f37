"""Relays TLS connections, and cuts the first ones in the middle of the answer: cutting_relay.py PORT CUTS.

It prints its port, and then a line for each cut. A connection is cut once its client has sent its request: the server's next
bytes are passed on up to the middle. The client's first record of application data ends the handshake, its second is the request.
"""
import socket
import sys
import threading

APPLICATION_DATA = 23


def main():
    port, cuts = int(sys.argv[1]), int(sys.argv[2])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            client = listener.accept()[0]
            threading.Thread(target=serve, args=(client, port, cuts > 0), daemon=True).start()
            cuts -= 1


def serve(client, port, cut):
    server = socket.create_connection(("127.0.0.1", port))
    asked = threading.Event()
    threading.Thread(target=carry_requests, args=(client, server, asked), daemon=True).start()
    try:
        while part := server.recv(65536):
            if cut and asked.is_set():
                client.sendall(part[: len(part) // 2])
                print("cut", flush=True)
                break
            client.sendall(part)
    except OSError:
        pass
    for end in (client, server):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def carry_requests(client, server, asked):
    """Passes on the client's bytes, and notes when the second record of application data is whole."""
    records, received = 0, b""
    try:
        while part := client.recv(65536):
            received += part
            while len(received) >= 5 and len(received) >= 5 + int.from_bytes(received[3:5], "big"):
                records += received[0] == APPLICATION_DATA
                received = received[5 + int.from_bytes(received[3:5], "big"):]
            if records >= 2:
                asked.set()
            server.sendall(part)
    except OSError:
        pass


main()
