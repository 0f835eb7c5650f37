"""The peer for cached ids: nginx with one worker, answering from memory with as many bytes and headers as our answer."""
import os
import subprocess

from .bench import SERVER_CORE
from .daemon import free_port, wait_until_ready
from .http_connection import HTTPConnection
from .process_status import only_child

CONFIGURATION = """\
daemon off;
{user}
worker_processes 1;
worker_rlimit_nofile {descriptors};
pid {directory}/nginx-{port}.pid;
error_log {directory}/nginx-{port}.error.log crit;
events {{ worker_connections 16384; multi_accept on; }}
http {{
    access_log {access_log};
    server_tokens off;
    default_type '{content_type}';
    keepalive_requests 1000000000;
    keepalive_timeout 300s;
    client_body_temp_path {directory}/nginx-body;
    proxy_temp_path {directory}/nginx-proxy;
    fastcgi_temp_path {directory}/nginx-fastcgi;
    uwsgi_temp_path {directory}/nginx-uwsgi;
    scgi_temp_path {directory}/nginx-scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        {secure}
        listen 127.0.0.1:{http2_port} http2 backlog=4096;
        {fields}
        location / {{ return 200 '{body}'; }}
    }}
}}
"""
CONTENT_TYPE = "application/json"


class Nginx:
    """`with Nginx(bench, answer) as nginx:`, where `answer` is the one to match in size and number of headers."""

    def __init__(self, bench, answer, access_log="off", certificate=None):
        """`certificate` is a pair of files, certificate and key; with it nginx also serves TLS on `secure_port`."""
        self.bench = bench
        self.answer = answer
        self.access_log = access_log
        self.certificate = certificate

    def __enter__(self):
        self.start(fields=[], content_type=CONTENT_TYPE)
        plain = self.fetch()
        fields = [f"add_header X-{n} a;" for n in range(self.answer.field_count - plain.field_count)]
        content_type = CONTENT_TYPE
        if fields:
            self.restart(fields, content_type)
            plain = self.fetch()
        missing = len(self.answer.head) - len(plain.head)
        if missing > 0:
            content_type = CONTENT_TYPE + ";" + "x" * (missing - 1)
            self.restart(fields, content_type)
        self.difference = self.describe_difference()
        self.process = only_child(self.child.pid)
        return self

    def __exit__(self, *_):
        if self.child in self.bench.children.running:
            self.bench.children.stop(self.child)

    def restart(self, fields, content_type):
        self.bench.children.stop(self.child)
        self.start(fields, content_type)

    def start(self, fields, content_type):
        self.port, self.secure_port, self.http2_port = free_port(), free_port(), free_port()
        text = CONFIGURATION.format(
            user="user root;" if os.getuid() == 0 else "", descriptors=20000, directory=self.bench.directory,
            port=self.port, secure=self.secure_listener(), http2_port=self.http2_port, access_log=self.access_log,
            content_type=content_type, fields=" ".join(fields),
            body=self.answer.body.decode())
        file = self.bench.directory / f"nginx-{self.port}.conf"
        file.write_text(text)
        self.child = self.bench.children.start(
            ["nginx", "-p", self.bench.directory, "-c", file, "-e", "stderr"], SERVER_CORE, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until_ready(self.port, self.child)

    def secure_listener(self):
        if not self.certificate:
            return ""
        return (f"listen 127.0.0.1:{self.secure_port} ssl http2 backlog=4096; ssl_protocols TLSv1.2 TLSv1.3; "
                f"ssl_certificate {self.certificate[0]}; ssl_certificate_key {self.certificate[1]};")

    def fetch(self):
        with HTTPConnection(self.port) as connection:
            return connection.get("/token?tripID=cached-0000")

    def describe_difference(self):
        """What could not be made equal, for the report: headers of nginx that cannot be removed."""
        ours, its = self.answer, self.fetch()
        if (ours.field_count, len(ours.head), len(ours.body)) == (its.field_count, len(its.head), len(its.body)):
            return "answers of equal size and number of headers"
        return (f"ours {len(ours.head)} + {len(ours.body)} bytes in {ours.field_count} headers, "
                f"nginx {len(its.head)} + {len(its.body)} bytes in {its.field_count} headers")
