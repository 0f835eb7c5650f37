"""Checks manifests that are built: against schemas, the restricted Pod Security Standard, and each other.

python manifests.py [--core] [--crds FOLDER] MANIFESTS VERSION...

--core: no other types than Kubernetes' own are expected.
"""
import argparse
import ipaddress
import pathlib
import re
import sys

import jsonschema
import kubernetes_validate
import yaml

# Types that are not Kubernetes' own: without their CustomResourceDefinitions only the names of members are checked.
MEMBERS = {
    "ServiceMonitor": {"jobLabel", "selector", "matchLabels", "endpoints", "port", "path", "interval"},
    "PrometheusRule": {"groups", "name", "rules", "record", "alert", "expr", "for", "labels", "severity", "annotations",
                       "summary", "runbook_url"},
    "Gateway": {"gatewayClassName", "listeners", "name", "hostname", "port", "protocol", "tls", "mode", "certificateRefs",
                "allowedRoutes", "namespaces", "from"},
    "HTTPRoute": {"parentRefs", "hostnames", "rules", "backendRefs", "name", "port"},
    "HealthCheckPolicy": {"default", "config", "type", "httpHealthCheck", "requestPath", "portSpecification", "targetRef", "group", "kind", "name"},
    "GCPBackendPolicy": {"default", "connectionDraining", "drainingTimeoutSec", "targetRef", "group", "kind", "name"},
}
LABELS = {"matchLabels"}
# Whose ranges of pods the configuration names, for proxies.trusted.
PROVIDERS = ["GKE", "EKS", "AKS", "OpenShift", "k3s", "Calico", "IPv6"]
# Where the controllers' own manifests and charts put their pods, or Google's front ends are; and the port that they need.
CONTROLLERS = {"ingress-nginx": ("ingress-nginx", "http"), "gateway": ("envoy-gateway-system", "http"),
               "gke": ("35.191.10.1", "http"), "prometheus-operator": ("monitoring", "admin")}
failed = 0


def tell(passes, what):
    global failed
    failed += not passes
    print(f"{'valid' if passes else 'NOT VALID'}: {what}")


def members(value):
    if isinstance(value, list):
        return set().union(*map(members, value), set())
    if not isinstance(value, dict):
        return set()
    return set(value).union(*(members(inner) for name, inner in value.items() if name not in LABELS), set())


def strict(schema):
    """The schema without members that it does not name, as an API server with strict validation has it."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    strictly = {name: strict(inner) for name, inner in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        strictly["additionalProperties"] = False
    return strictly


def definitions(folder):
    """The schema of each kind and version in a folder of CustomResourceDefinitions."""
    found = {}
    for path in pathlib.Path(folder).glob("*.yaml"):
        for definition in yaml.safe_load_all(path.read_text()):
            for version in definition["spec"]["versions"]:
                group = definition["spec"]["group"]
                schema = strict(version["schema"]["openAPIV3Schema"])
                schema["properties"]["metadata"] = {"type": "object"}
                found[f"{group}/{version['name']}", definition["spec"]["names"]["kind"]] = schema
    return found


def check_schema(document, versions, schemas):
    name = f"{document['kind']} {document['metadata']['name']}"
    if document["kind"] not in MEMBERS:
        for version in versions:
            try:
                kubernetes_validate.validate(document, version, strict=True)
                tell(True, f"{name}, Kubernetes {version}")
            except kubernetes_validate.ValidationError as error:
                tell(False, f"{name}, Kubernetes {version}: {'.'.join(map(str, error.path))}: {error.message}")
    elif schema := schemas.get((document["apiVersion"], document["kind"])):
        error = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(document))
        tell(error is None, f"{name}, its definition{f': {error.json_path}: {error.message}' if error else ''}")
    else:
        unknown = members(document["spec"]) - MEMBERS[document["kind"]]
        tell(not unknown, f"{name} (only by the names of its members){': ' + ', '.join(sorted(unknown)) if unknown else ''}")


def check_pod(by_kind):
    pod = by_kind["Deployment"]["spec"]["template"]["spec"]
    container = pod["containers"][0]
    context = container["securityContext"]
    tell(pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0, "restricted: not root")
    tell(pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", "restricted: system calls are filtered")
    tell(context["allowPrivilegeEscalation"] is False and context["readOnlyRootFilesystem"],
         "restricted: no privilege escalation, read-only root")
    tell(context["capabilities"] == {"drop": ["ALL"]}, "restricted: no capabilities")
    tell(all(set(volume) - {"name"} <= {"configMap", "secret"} for volume in pod["volumes"]),
         "restricted: only configuration and secrets as volumes")
    tell("replicas" not in by_kind["Deployment"]["spec"], "only the autoscaler sets the number of pods")
    scaled = {metric["resource"]["name"] for metric in by_kind["HorizontalPodAutoscaler"]["spec"]["metrics"]}
    tell(scaled <= set(container["resources"]["requests"]), "the autoscaler measures requested resources")
    spread = [constraint["topologyKey"] for constraint in pod["topologySpreadConstraints"]]
    tell(spread == ["topology.kubernetes.io/zone", "kubernetes.io/hostname"], "pods are spread over zones and machines")
    budget = by_kind["PodDisruptionBudget"]["spec"]
    tell(budget["unhealthyPodEvictionPolicy"] == "AlwaysAllow", "a pod that is not ready keeps no node from being drained")
    files = {by_kind[kind]["metadata"]["name"] for kind in ("ConfigMap", "Secret") if kind in by_kind}
    mounted = {volume.get("configMap", {}).get("name") or volume["secret"]["secretName"] for volume in pod["volumes"]}
    tell(mounted == files, "the pods mount the generated files")
    drain = container["lifecycle"]["preStop"]["sleep"]["seconds"] + 10
    tell(pod["terminationGracePeriodSeconds"] > drain, "a pod has enough time to drain")
    return container


def check_ports(container, documents, by_kind):
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    policies = [document["spec"] for document in documents if document["kind"] == "NetworkPolicy"]
    services = [document for document in documents if document["kind"] == "Service"]
    named = {probe["httpGet"]["port"] for key, probe in container.items() if key.endswith("Probe")}
    named |= {port["port"] for policy in policies for rule in policy.get("ingress", []) for port in rule["ports"]}
    named |= {port["targetPort"] for service in services for port in service["spec"]["ports"]}
    tell(named <= set(ports), "probes, policies and services name existing ports")
    configuration = yaml.safe_load(by_kind["ConfigMap"]["data"]["token-provider.yaml"])
    listening = {"http": configuration["listen"], "admin": configuration["admin"]["listen"]}
    every = {name: [f"0.0.0.0:{port}", f"[::]:{port}"] for name, port in ports.items()}
    tell(listening == every, "the daemon listens on these ports, by IPv4 and IPv6")
    folder, _, file = configuration["api_keys"]["file"].rpartition("/")
    mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
    tell(folder in mounts and file in by_kind["ConfigMap"]["data"], "the API keys are where the configuration says")
    tell("issuers" not in configuration, "the example waits for no identity provider")
    check_ranges(by_kind["ConfigMap"]["data"]["token-provider.yaml"], configuration)
    return services


def check_ranges(text, configuration):
    """What the comment above proxies says, which on GKE is the address of Google's front ends."""
    tell(all(ipaddress.ip_network(block) for block in configuration["proxies"]["trusted"]), "the trusted proxies are ranges")
    comment = " ".join(line.removeprefix("# ") for line in text.split("\nproxies:")[0].split("\n\n")[-1].splitlines())
    if "Google's front ends" in comment:
        return
    ranges = {name: re.search(rf"{name}[^;]*? ([0-9a-f.:]+/\d+)", comment) for name in PROVIDERS}
    missing = [name for name, found in ranges.items() if not found or not ipaddress.ip_network(found[1]).is_private]
    tell(not missing, f"the range of the proxies' pods is written down for {', '.join(missing or PROVIDERS)}")


def covers(block, address):
    address = ipaddress.ip_address(address)
    networks = [ipaddress.ip_network(network) for network in [block["cidr"], *block.get("except", [])]]
    inside = [address.version == network.version and address in network for network in networks]
    return inside[0] and not any(inside[1:])


def check_admission(documents, by_kind):
    """That the controllers of the components that are there reach the pods, at one port alone, and nobody else does."""
    pod = by_kind["Deployment"]["spec"]["template"]["metadata"]["labels"]
    rules = [rule for document in documents if document["kind"] == "NetworkPolicy"
             and document["spec"]["podSelector"].get("matchLabels", {}).items() <= pod.items()
             for rule in document["spec"].get("ingress") or []]

    def lets_in(peer, source):
        if block := peer.get("ipBlock"):
            return "." in source and covers(block, source)
        # The API server gives every namespace this label.
        return peer == {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": source}}}

    def ports(source):
        return {entry["port"] for rule in rules for entry in rule["ports"] if any(lets_in(peer, source) for peer in rule["from"])}
    gateway = by_kind["Gateway"]["spec"]["gatewayClassName"] if "Gateway" in by_kind else ""
    present = {"ingress-nginx": "Ingress" in by_kind, "gateway": gateway == "eg", "gke": gateway.startswith("gke-"),
               "prometheus-operator": "ServiceMonitor" in by_kind}
    for component, (source, port) in CONTROLLERS.items():
        if present[component]:
            tell(ports(source) == {port}, f"{component}: pods let {source} in, at {port} alone")
    others = ["default", "203.0.113.7", *(source for component, (source, _) in CONTROLLERS.items() if not present[component])]
    tell(not any(ports(source) for source in others), f"pods let nobody else in: {', '.join(others)}")


def check_network(documents):
    policies = {document["metadata"]["name"]: document["spec"] for document in documents if document["kind"] == "NetworkPolicy"}
    base = policies["token-provider"]
    tell(not base.get("ingress") and set(base["policyTypes"]) == {"Ingress", "Egress"}, "without a component, no pod is reached")

    def reaches(address, port, protocol="TCP"):
        return any(
            any(entry["port"] == port and entry.get("protocol", "TCP") == protocol for entry in rule["ports"])
            and ("to" not in rule or any(covers(peer["ipBlock"], address) for peer in rule["to"]))
            for rule in base["egress"])
    for address, port, protocol in [
            ("10.128.0.10", 5353, "UDP"), ("10.128.0.10", 5353, "TCP"), ("10.96.0.10", 53, "UDP"), ("169.254.20.10", 53, "UDP"), ("169.254.20.10", 53, "TCP"), ("fd00:10:96::a", 53, "UDP"),
            ("203.0.113.7", 443, "TCP"), ("2001:db8::7", 443, "TCP")]:
        tell(reaches(address, port, protocol), f"a pod reaches {address} at {port} ({protocol})")
    for address, port in [("169.254.169.254", 443), ("fd00:ec2::254", 443), ("203.0.113.7", 80), ("10.0.0.1", 6443)]:
        tell(not reaches(address, port), f"a pod does not reach {address} at {port}")
    return reaches


def check_components(documents, by_kind, services):
    if monitor := by_kind.get("ServiceMonitor"):
        scraped = [port["targetPort"] for service in services for port in service["spec"]["ports"]
                   if monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
                   and port["name"] in {endpoint["port"] for endpoint in monitor["spec"]["endpoints"]}]
        tell(scraped == ["admin"], "Prometheus scrapes the admin listener exactly once")
    offered = {(service["metadata"]["name"], port["port"]) for service in services for port in service["spec"]["ports"]}
    if route := by_kind.get("HTTPRoute"):
        backends = {(backend["name"], backend["port"]) for rule in route["spec"]["rules"] for backend in rule["backendRefs"]}
        gateway = by_kind["Gateway"]
        tell(backends <= offered, "the route leads to the service")
        tell({parent["name"] for parent in route["spec"]["parentRefs"]} == {gateway["metadata"]["name"]}
             and {listener["hostname"] for listener in gateway["spec"]["listeners"]} == set(route["spec"]["hostnames"]),
             "the route belongs to the gateway")
    if ingress := by_kind.get("Ingress"):
        backends = [path["backend"]["service"] for rule in ingress["spec"]["rules"] for path in rule["http"]["paths"]]
        tell(all(backend == {"name": "token-provider", "port": {"name": "http"}} for backend in backends),
             "the ingress leads to the service")


def check_identity(by_kind, reaches):
    if annotations := by_kind["ServiceAccount"]["metadata"].get("annotations"):
        tell("Secret" not in by_kind, "Workload Identity needs no secret")
        tell("iam.gke.io/gcp-service-account" in annotations, "the pods have an account of Google Cloud")
        tell(reaches("169.254.169.252", 988) and reaches("169.254.169.254", 80), "the pods reach GKE's metadata server")
    for kind in ("ConfigMap", "Secret"):
        if document := by_kind.get(kind):
            tell(document["metadata"]["labels"]["app.kubernetes.io/managed-by"] == "kustomize", f"an old {kind} is found by its labels")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--core", action="store_true")
    parser.add_argument("--crds")
    parser.add_argument("manifests")
    parser.add_argument("versions", nargs="+")
    options = parser.parse_args()
    documents = list(yaml.safe_load_all(pathlib.Path(options.manifests).read_text()))
    by_kind = {document["kind"]: document for document in documents}
    schemas = definitions(options.crds) if options.crds else {}
    for document in documents:
        check_schema(document, options.versions, schemas)
    if options.core:
        tell(not set(by_kind) & set(MEMBERS), "a cluster without additions has all types")
    services = check_ports(check_pod(by_kind), documents, by_kind)
    reaches = check_network(documents)
    check_admission(documents, by_kind)
    check_components(documents, by_kind, services)
    check_identity(by_kind, reaches)
    print(f"{len(documents)} manifests, {failed} failed")
    sys.exit(failed > 0)


main()
