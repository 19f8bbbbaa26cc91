// Package wire has the host's side of the protocols of databases, and converts messages of gRPC. It reads the
// requests of a client, and writes replies. Package dialogue uses it to read recorded data, and the virtual network
// to answer requests. Exported tests contain a copy of its source, so it uses only the standard library, as of Go
// 1.18.
package wire

import "embed"

// Source has the files that exported tests contain.
//
//go:embed redis.go request.go sql.go postgres.go postgresmessage.go postgresvalue.go postgresarray.go postgresresult.go
//go:embed postgresstatement.go mysql.go mysqlpacket.go mysqlquery.go mysqlvalue.go mysqlresult.go mysqlstatement.go
//go:embed grpc.go protobuf.go
var Source embed.FS
