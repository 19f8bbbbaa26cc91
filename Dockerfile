# Sonde for CI: black-box searches, checks and reports.
#
#	docker build -t sonde .
#	docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" --network host sonde ci openapi.yaml --url http://127.0.0.1:8080
#
# Building a service with probes, and playing exported Go tests, want Go as well: take
# the stage with it, by --target toolchain.
FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /out/sonde .

FROM golang:1.26-alpine AS toolchain
RUN apk add --no-cache git && adduser -D sonde
COPY --from=build /out/sonde /usr/local/bin/sonde
COPY LICENSE /usr/local/share/licenses/sonde/LICENSE
USER sonde
WORKDIR /work
ENTRYPOINT ["sonde"]

FROM alpine:3.22
RUN apk add --no-cache ca-certificates git && adduser -D sonde
COPY --from=build /out/sonde /usr/local/bin/sonde
COPY LICENSE /usr/local/share/licenses/sonde/LICENSE
USER sonde
WORKDIR /work
ENTRYPOINT ["sonde"]
