"""Asks twice on one connection with a client certificate, the second time once the file GO exists. Prints the first status, and
writes the second one, or `closed`, into the file GO.answer."""
import os
import socket
import ssl
import sys
import time

PORT, AUTHORITY, CERTIFICATE, KEY, GO = sys.argv[1:]


def ask(connection):
    connection.sendall(b"GET /token?vehicleID=v-1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = connection.makefile("rb")
    line = answer.readline()
    if not line:
        return "closed"
    length = 0
    while header := answer.readline().strip():
        name, value = header.split(b":", 1)
        length = int(value) if name.lower() == b"content-length" else length
    answer.read(length)
    return line.split()[1].decode()


context = ssl.create_default_context(cafile=AUTHORITY)
context.load_cert_chain(CERTIFICATE, KEY)
with context.wrap_socket(socket.create_connection(("127.0.0.1", int(PORT))), server_hostname="localhost") as connection:
    print(ask(connection), flush=True)
    while not os.path.exists(GO):
        time.sleep(0.01)
    try:
        second = ask(connection)
    except (ConnectionError, ssl.SSLError):
        second = "closed"
    with open(f"{GO}.new", "w") as file:
        file.write(second)
    os.rename(f"{GO}.new", f"{GO}.answer")
