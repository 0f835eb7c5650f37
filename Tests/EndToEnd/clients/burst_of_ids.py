"""Asks for new ids on 40 connections, on all before it reads an answer, and verifies the tokens with another library than the
daemon's: burst_of_ids.py PORT PUBLIC_KEY NAME ROUNDS. Prints how many distinct valid tokens came."""
import json
import socket
import sys

import jwt

CONNECTIONS = 40


def main(port, public_key, name, rounds):
    with open(public_key, encoding="ascii") as file:
        key = file.read()
    clients = [socket.create_connection(("127.0.0.1", int(port)), timeout=600) for _ in range(CONNECTIONS)]
    streams = [client.makefile("rb") for client in clients]
    tokens = set()
    for turn in range(int(rounds)):
        ids = [f"{name}-{turn}-{number}" for number in range(CONNECTIONS)]
        for client, identifier in zip(clients, ids):
            client.sendall(f"GET /token?tripID={identifier} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        for stream, identifier in zip(streams, ids):
            token = json.loads(body(stream))["TRIP_TOKEN_KEY"]
            claims = jwt.decode(token, key, ["RS256"], audience="https://fleetengine.googleapis.com/")
            assert claims["authorization"] == {"tripid": identifier}, claims
            tokens.add(token)
    print(json.dumps({"tokens": len(tokens)}))


def body(stream):
    status, length = stream.readline(), 0
    assert status.startswith(b"HTTP/1.1 200 "), status
    while (line := stream.readline()) != b"\r\n":
        field, value = line.split(b":", 1)
        if field.lower() == b"content-length":
            length = int(value)
    return stream.read(length)


main(*sys.argv[1:])
