"""Runs ../deploy against a small API server: applies manifests as `kubectl apply -k` does, over six changes of the key.

python deploy.py FOLDER      a scratch folder

The server speaks what kubectl needs of the API (discovery, server-side apply, get, list, watch, delete), validates what is
applied against the schemas of Kubernetes, and keeps the ReplicaSets of a Deployment as its controller does.
"""
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse

import kubernetes_validate
import yaml

VERSION = "1.37.0"
TYPES = {
    "v1": [("namespaces", "Namespace", False), ("serviceaccounts", "ServiceAccount", True), ("services", "Service", True),
           ("configmaps", "ConfigMap", True), ("secrets", "Secret", True)],
    "apps/v1": [("deployments", "Deployment", True), ("replicasets", "ReplicaSet", True)],
    "policy/v1": [("poddisruptionbudgets", "PodDisruptionBudget", True)],
    "autoscaling/v2": [("horizontalpodautoscalers", "HorizontalPodAutoscaler", True)],
    "networking.k8s.io/v1": [("networkpolicies", "NetworkPolicy", True)],
}
PATH = re.compile(r"/(?:api|apis)/(v1|[^/]+/[^/]+)(?:/namespaces/([^/]+))?/([^/]+)(?:/([^/]+))?")
SOURCE = pathlib.Path(__file__).resolve().parent.parent


class Conflict(Exception):
    """Another manager owns a value that would change."""


class Cluster:
    """The objects of the cluster, by type and name."""

    def __init__(self):
        self.objects = {}
        # Whether another manager owns values of the Deployment, as after `kubectl rollout undo`.
        self.is_taken = False

    def apply(self, resource, document, forces):
        kubernetes_validate.validate(document, VERSION, strict=True)
        is_deployment = document["kind"] == "Deployment"
        if is_deployment and self.is_taken and not forces:
            raise Conflict
        self.objects[resource, document["metadata"]["name"]] = document
        if is_deployment:
            self.is_taken = False
            self.roll_out(document)

    def roll_out(self, deployment):
        """Keeps one ReplicaSet for each template, as many previous ones as the Deployment says."""
        template = deployment["spec"]["template"]
        name = f"token-provider-{hash(json.dumps(template, sort_keys=True)) & 0xffffffff:08x}"
        self.objects.pop(("replicasets", name), None)
        self.objects["replicasets", name] = {
            "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name, "labels": template["metadata"]["labels"]},
            "spec": {"selector": deployment["spec"]["selector"], "template": template}}
        kept = 1 + deployment["spec"].get("revisionHistoryLimit", 10)
        for old in [key for key in self.objects if key[0] == "replicasets"][:-kept]:
            del self.objects[old]
        deployment["metadata"]["generation"] = 1
        deployment["status"] = {
            "observedGeneration": 1, "replicas": 3, "updatedReplicas": 3, "readyReplicas": 3, "availableReplicas": 3}

    def named(self, resource, labels):
        wanted = dict(label.split("=") for label in labels.split(",")) if labels else {}
        return [document for (kind, _), document in self.objects.items()
                if kind == resource and wanted.items() <= document["metadata"].get("labels", {}).items()]


class Server(http.server.BaseHTTPRequestHandler):
    cluster = Cluster()

    def log_message(self, *_):
        pass

    def answer(self, body, status=200):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def refuse(self, status, reason, message):
        self.answer({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message,
                     "code": status}, status)

    def handle_request(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if discovery := self.discovery(url.path):
            return self.answer(discovery)
        path = PATH.fullmatch(url.path)
        if path is None:
            return self.refuse(404, "NotFound", f"no {url.path}")
        version, _, resource, name = path.groups()
        if self.command == "PATCH":
            return self.apply(resource, forces=query.get("force") == "true")
        if name and (resource, name) not in self.cluster.objects:
            return self.refuse(404, "NotFound", f'{resource} "{name}" not found')
        if self.command == "DELETE":
            del self.cluster.objects[resource, name]
            return self.answer({"kind": "Status", "apiVersion": "v1", "status": "Success"})
        if name:
            return self.answer(self.cluster.objects[resource, name])
        kind = next(kind for plural, kind, _ in TYPES[version] if plural == resource)
        items = self.cluster.named(resource, query.get("labelSelector"))
        self.answer({"kind": f"{kind}List", "apiVersion": version, "metadata": {"resourceVersion": "1"}, "items": items})

    do_GET = do_PATCH = do_DELETE = handle_request

    def apply(self, resource, forces):
        document = yaml.safe_load(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            self.cluster.apply(resource, document, forces)
        except Conflict:
            return self.refuse(409, "Conflict", 'Apply failed with 1 conflict: conflict with "kubectl-rollout" using apps/v1')
        except kubernetes_validate.ValidationError as error:
            return self.refuse(422, "Invalid", f"{document['kind']}: {error.message}")
        self.answer(document)

    @staticmethod
    def discovery(path):
        groups = [version for version in TYPES if "/" in version]
        if path == "/api":
            return {"kind": "APIVersions", "versions": ["v1"]}
        if path == "/apis":
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
                {"name": version.split("/")[0], "versions": [group], "preferredVersion": group}
                for version in groups for group in [{"groupVersion": version, "version": version.split("/")[1]}]]}
        version = path.removeprefix("/api/").removeprefix("/apis/")
        if version in TYPES:
            return {"kind": "APIResourceList", "groupVersion": version, "resources": [
                {"name": name, "singularName": "", "namespaced": namespaced, "kind": kind,
                 "verbs": ["get", "list", "watch", "patch", "delete"]} for name, kind, namespaced in TYPES[version]]}
        # It validates itself what is applied, as kubectl asks of this.
        if path == "/openapi/v3":
            return {"paths": {("api/" if version == "v1" else "apis/") + version: {"serverRelativeURL": f"/openapi/v3/{version}"}
                              for version in TYPES}}
        version = path.removeprefix("/openapi/v3/")
        if version in TYPES:
            group = version.rpartition("/")[0]
            return {"openapi": "3.0.0", "info": {"title": "", "version": ""}, "paths": {f"/{name}": {"patch": {
                "parameters": [{"name": "fieldValidation", "in": "query"}], "responses": {},
                "x-kubernetes-group-version-kind": {"group": group, "version": version.split("/")[-1], "kind": kind}}}
                for name, kind, _ in TYPES[version]}}
        return None


def require(condition, sentence):
    if not condition:
        sys.exit(f"NOT VALID: {sentence}")
    print(f"valid: {sentence}")


def main():
    scratch = pathlib.Path(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (scratch / "kubeconfig").write_text(yaml.safe_dump({
        "apiVersion": "v1", "kind": "Config", "current-context": "test",
        "clusters": [{"name": "test", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}],
        "users": [{"name": "test", "user": {}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}]}))
    environment = os.environ | {"KUBECONFIG": str(scratch / "kubeconfig"), "HOME": str(scratch)}
    tree = scratch / "deployed"
    shutil.copytree(SOURCE, tree)
    key, kustomization = tree / "key.json", tree / "kustomization.yaml"
    key.unlink(missing_ok=True)

    def deploy(*folder):
        return subprocess.run([tree / "deploy", *folder], env=environment, capture_output=True, text=True)

    def refuses(beginning, expected):
        outcome = deploy()
        require(outcome.returncode == 1 and outcome.stderr.count("\n") == 1
                and outcome.stderr.startswith(f"{beginning}") and expected in outcome.stderr, f"refused: {outcome.stderr.strip()}")

    outcome = subprocess.run(["kubectl", "apply", "-k", tree], env=environment, capture_output=True, text=True)
    sentence = outcome.stderr.strip().replace(str(tree), "kubernetes")
    require(outcome.returncode == 1 and "\n" not in sentence and "kubernetes/key.json: no such file" in sentence
            and not Server.cluster.objects, f"refused by kubectl apply -k: {sentence}")
    refuses(key, "key.json is missing")
    # As `kustomize edit` writes it: a line for each member of a list.
    kustomization.write_text(yaml.safe_dump(yaml.safe_load(kustomization.read_text())))
    refuses(key, "key.json is missing")
    key.write_text('{"type": "authorized_user"}')
    refuses(key, "is not a key")
    key.write_text('{"type": "service_account"}')
    refuses(kustomization, "names no image")
    kustomization.write_text(re.sub("newName: .*", "newName: localhost/token-provider", kustomization.read_text()))
    for number in range(6):
        key.write_text(json.dumps({"type": "service_account", "private_key_id": f"key-{number}"}))
        outcome = deploy()
        require(outcome.returncode == 0, f"the key of revision {number} is applied{outcome.stderr if outcome.returncode else ''}")
    objects = Server.cluster.objects
    images = {container["image"] for document in Server.cluster.named("replicasets", None)
              for container in document["spec"]["template"]["spec"]["containers"]}
    require(images == {"localhost/token-provider:0.2.0"}, "the pods run the image that was set")
    secrets = {name for resource, name in objects if resource == "secrets"}
    used = {volume["secret"]["secretName"] for document in Server.cluster.named("replicasets", None)
            for volume in document["spec"]["template"]["spec"]["volumes"] if "secret" in volume}
    require(len(secrets) == 4 and secrets == used, "the Secrets of this revision and of the three before are left")
    require(sum(resource == "configmaps" for resource, _ in objects) == 1, "the ConfigMap that all of them use is left")
    Server.cluster.is_taken = True
    key.write_text(json.dumps({"type": "service_account", "private_key_id": "after-undo"}))
    outcome = deploy()
    require(outcome.returncode == 0, f"a key is applied after `kubectl rollout undo`{outcome.stderr if outcome.returncode else ''}")
    # An API server refuses what the schemas refuse.
    disruption = tree / "base/poddisruptionbudget.yaml"
    disruption.write_text(disruption.read_text().replace("maxUnavailable", "maxUnavailble"))
    outcome = deploy()
    require(outcome.returncode != 0 and "maxUnavailble" in outcome.stderr, "what a schema refuses is not applied")


main()
