# Only the daemon: no shell, no package manager, a user without rights, and no writable files.
#   docker build -t token-provider . && docker run --read-only --cap-drop all -p 127.0.0.1:8080:8080 \
#     --user "$(id -u):$(id -g)" -v "$PWD/key.json:/run/secrets/key.json:ro" -e TOKEN_PROVIDER_CALLERS=none token-provider
# The key must belong to root or to the user that runs the daemon, hence --user. The same sources on the same base images make
# the same files, on amd64 and on arm64. --build-arg REVISION="$(git rev-parse HEAD)" labels the commit.
# The base images, for both architectures. Tags move, digests do not: .ci/base-images refuses an image without one.
ARG SWIFT_IMAGE=docker.io/library/swift:6.3-bookworm@sha256:7060a792f4cd9eaa0d00826d941cec00ab8d252d33b8b28bc8e105f51f2dba73
ARG DEBIAN_IMAGE=docker.io/library/debian:bookworm-slim@sha256:abd67ffcfa541b485a3dff59865ab629aa048a6c613e639d36e7456b0b229241

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends \
        libssl-dev libnghttp2-dev libyaml-dev libcurl4-openssl-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The C++ library of Swift's runtime is linked statically: the program uses little of it, and as a file of its own it is two
# megabytes.
RUN mkdir /static && find /usr/lib/gcc -name libstdc++.a -exec ln -s {} /static/ \;
# Packed relative relocations save a megabyte. Two builds would differ in the hashes that the compiler stores for incremental
# builds, and in the build id, which also covers the debugging information that is stripped here.
RUN .ci/verify-dependencies && swift build -c release --static-swift-stdlib --product token-provider \
        -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker --build-id=none \
        -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -L/static \
    && install -D "$(swift build -c release --static-swift-stdlib --show-bin-path)/token-provider" /out/token-provider \
    && strip --strip-unneeded --remove-section=.comment /out/token-provider \
    && .ci/sbom linked "$(readlink -f /static/libstdc++.a)" >/out/linked

# Intel's library that signs several tokens at once, of the version in CRYPTO_MB, with the libraries that it names; nothing
# without it.
FROM ${DEBIAN_IMAGE} AS crypto-mb
ARG CRYPTO_MB=
RUN set -eu; mkdir /image; touch /linked; if [ -n "$CRYPTO_MB" ]; then \
        apt-get update -q; apt-get install -y -q --no-install-recommends python3-pip; \
        pip download -q --no-deps --only-binary :all: -d /wheels "ipp-crypto==$CRYPTO_MB" "intel-cmplr-lib-rt==$CRYPTO_MB"; \
        for wheel in /wheels/*.whl; do python3 -m zipfile -e "$wheel" /unpacked; done; \
        folder=/image/usr/lib/$(uname -m)-linux-gnu; mkdir -p "$folder"; \
        for name in 'libcrypto_mb.so.[0-9]*' libintlc.so.5 libimf.so libirng.so libsvml.so; do \
            cp "$(find /unpacked -name "$name" | sort | head -n 1)" "$folder"; \
        done; cp -L "/lib/$(uname -m)-linux-gnu/libdl.so.2" "$folder"; chmod 644 "$folder"/*; \
        find /image -exec touch --date=@0 {} +; \
        for name in ipp-crypto intel-cmplr-lib-rt; do echo "$name $CRYPTO_MB pkg:pypi/$name@$CRYPTO_MB"; done >/linked; \
    fi

# The libraries that it is linked with, libcurl, which it loads when it asks other services, and everything that they need.
FROM ${DEBIAN_IMAGE} AS libraries
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends ca-certificates libcurl4 libnghttp2-14 libssl3 libyaml-0-2 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
COPY --from=build /out/token-provider /image/usr/bin/token-provider
COPY --from=build /out/linked /source/.ci/sbom /
COPY --from=crypto-mb /linked /crypto-mb
# Where no key file is mounted, the one here says that the daemon uses the credentials of the machine, if it is one of Google's.
RUN set -eu; cd /image; mkdir -p etc/ssl/certs etc/token-provider run/secrets; \
    for object in usr/bin/token-provider "$(ldconfig -p | sed -n 's/.*libcurl\.so\.4 .*=> //p')"; do \
        case $object in /*) echo "$object" ;; esac; \
        ldd "$object" | sed -nE 's/.*=> (\/[^ ]+) .*/\1/p; s/^[[:space:]]*(\/[^ ]+) .*/\1/p'; \
    done | sort -u | xargs cp -L --parents -t /image; \
    cp -L /etc/ssl/certs/ca-certificates.crt etc/ssl/certs/; \
    cp -L /etc/os-release /etc/debian_version etc/; \
    /sbom describe /image /linked /crypto-mb; \
    echo 'hosts: files dns' >etc/nsswitch.conf; \
    printf 'listen: [0.0.0.0:8080, "[::]:8080"]\nlog: {format: json}\n' >etc/token-provider/defaults.yaml; \
    echo '{"type": "application_default"}' >run/secrets/key.json; \
    echo 'token-provider:x:65532:65532::/:/none' >etc/passwd; echo 'token-provider:x:65532:' >etc/group; \
    find /image -exec touch --no-dereference --date=@0 {} +

FROM scratch
ARG VERSION=0.2.0
ARG REVISION=
LABEL org.opencontainers.image.title="token-provider" \
    org.opencontainers.image.description="Short-lived Fleet Engine tokens for the apps of a fleet" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.source="https://github.com/token-provider/token-provider" \
    org.opencontainers.image.documentation="https://github.com/token-provider/token-provider/blob/main/README.md"
COPY --from=libraries /image /
COPY --from=crypto-mb /image /
COPY --from=build /source/LICENSE /usr/share/doc/token-provider/LICENSE
ENV PATH=/usr/bin \
    SWIFT_BACKTRACE=enable=no \
    GOOGLE_APPLICATION_CREDENTIALS=/run/secrets/key.json \
    TOKEN_PROVIDER_DEFAULTS=/etc/token-provider/defaults.yaml
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["token-provider", "health"]
ENTRYPOINT ["token-provider"]
CMD ["serve"]
