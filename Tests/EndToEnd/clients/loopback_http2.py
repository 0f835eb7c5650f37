"""HTTP/2 of the loopback server (RFC 9113): the streams of a connection are answered at the same time."""
import http.client
import io
import queue
import select
import socket
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

RECEIVED_BYTES = 65_536


class Stream:
    """A request as http.server would hand it over."""

    request_version = "HTTP/2"

    def __init__(self, headers):
        fields = dict(headers)
        self.command, self.path = fields[":method"], fields[":path"]
        self.headers = http.client.HTTPMessage()
        for name, value in headers:
            if not name.startswith(":"):
                self.headers.add_header(name, value)
        self.body = b""

    @property
    def rfile(self):
        return io.BytesIO(self.body)


class Connection:
    """One thread reads and writes; each request is answered by a thread of its own, through a queue."""

    def __init__(self, transport, respond):
        """`respond` returns an answer and whether it is cut off, or None for no answer."""
        self.transport, self.respond = transport, respond
        self.machine = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.streams, self.answers = {}, queue.SimpleQueue()
        self.waker, self.woken = socket.socketpair()

    def serve(self):
        self.machine.initiate_connection()
        try:
            while self.flush() and self.take():
                pass
        except (OSError, h2.exceptions.ProtocolError):
            pass  # Clients may disconnect at any time.
        finally:
            self.transport.close()
            self.waker.close()
            self.woken.close()

    def flush(self):
        if data := self.machine.data_to_send():
            self.transport.sendall(data)
        return True

    def take(self):
        """Waits for bytes or an answer; False at the end of the connection."""
        ready = [] if self.transport.pending() else select.select([self.transport, self.woken], [], [])[0]
        if self.woken in ready:
            self.woken.recv(RECEIVED_BYTES)
            while not self.answers.empty():
                self.send(*self.answers.get())
        if ready == [self.woken]:
            return True
        data = self.transport.recv(RECEIVED_BYTES)
        for event in self.machine.receive_data(data) if data else []:
            self.handle(event)
        return bool(data)

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.streams[event.stream_id] = Stream(event.headers)
        elif isinstance(event, h2.events.DataReceived):
            self.streams[event.stream_id].body += event.data
            self.machine.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            stream = self.streams[event.stream_id]
            if "Content-Length" not in stream.headers:
                stream.headers.add_header("Content-Length", str(len(stream.body)))
            threading.Thread(target=self.work, args=[event.stream_id], daemon=True).start()
        elif isinstance(event, h2.events.StreamReset):
            self.streams.pop(event.stream_id, None)

    def work(self, number):
        stream = self.streams.get(number)
        if stream is None:
            return
        self.answers.put((number, self.respond(stream)))
        try:
            self.waker.send(b"\0")
        except OSError:
            pass  # The connection has ended.

    def send(self, number, result):
        if self.streams.pop(number, None) is None:
            return
        if result is None:
            return self.machine.reset_stream(number, h2.errors.ErrorCodes.INTERNAL_ERROR)
        answer, cut_off = result
        fields = [(name.lower(), value) for name, value in answer.headers.items()]
        length = ("content-length", str(len(answer.body)))
        self.machine.send_headers(number, [(":status", str(answer.status)), length, *fields])
        body = answer.body[:len(answer.body) // 2] if cut_off else answer.body
        self.machine.send_data(number, body, end_stream=not cut_off)
        if cut_off:
            self.machine.reset_stream(number, h2.errors.ErrorCodes.INTERNAL_ERROR)
