package hostmodel

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

func jsonNumber(n int) string { return strconv.Itoa(n) }

// redisReply is what a command of Redis returns.
type redisReply struct {
	kind  redisKind
	isNil bool // it may be nil
}

// redisKind is the type of a reply of Redis.
type redisKind uint8

const (
	redisText redisKind = iota
	redisInteger
	redisDouble
	redisStatus
	redisList
	redisSet
	redisMap
	redisScan  // a cursor, and a list
	redisPairs // texts with their scores, in turn
	redisNil
)

// redisReplies has the replies of commands, by name.
var redisReplies = map[string]redisReply{}

func init() {
	for commands, r := range map[string]redisReply{
		"GET GETDEL GETEX GETSET HGET LINDEX LPOP RPOP SPOP SRANDMEMBER RPOPLPUSH LMOVE RANDOMKEY HRANDFIELD XADD": {redisText, true},
		"GETRANGE ECHO INFO DUMP ACL": {redisText, false},
		"APPEND BITCOUNT COPY DBSIZE DECR DECRBY DEL EXISTS EXPIRE EXPIREAT GEOADD GETBIT HDEL HEXISTS HINCRBY HLEN HSET HSETNX " +
			"HSTRLEN INCR INCRBY LASTSAVE LINSERT LLEN LPUSH LPUSHX LREM MOVE MSETNX PERSIST PEXPIRE PEXPIREAT PFADD PFCOUNT PTTL " +
			"PUBLISH RENAMENX RPUSH RPUSHX SADD SCARD SDIFFSTORE SETBIT SETNX SETRANGE SINTERSTORE SISMEMBER SMOVE SREM STRLEN " +
			"SUNIONSTORE TOUCH TTL UNLINK XACK XDEL XLEN XTRIM ZADD ZCARD ZCOUNT ZINTERSTORE ZLEXCOUNT ZREM ZREMRANGEBYRANK " +
			"ZREMRANGEBYSCORE ZUNIONSTORE": {redisInteger, false},
		"ZRANK ZREVRANK LPOS":              {redisInteger, true},
		"INCRBYFLOAT HINCRBYFLOAT ZINCRBY": {redisDouble, false},
		"ZSCORE GEODIST":                   {redisDouble, true},
		"MSET HMSET LSET LTRIM RENAME FLUSHALL FLUSHDB PSETEX SETEX WATCH UNWATCH CONFIG XGROUP RESTORE SET": {redisStatus, false},
		"LRANGE KEYS HKEYS HVALS MGET HMGET ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE SORT GEORADIUS GEOSEARCH BLPOP BRPOP " +
			"SMISMEMBER TIME": {redisList, false},
		"SMEMBERS SINTER SUNION SDIFF":       {redisSet, false},
		"HGETALL":                            {redisMap, false},
		"SCAN SSCAN HSCAN ZSCAN":             {redisScan, false},
		"ZPOPMIN ZPOPMAX":                    {redisPairs, false},
		"XREAD XREADGROUP BZPOPMIN BZPOPMAX": {redisNil, true},
	} {
		for command := range strings.FieldsSeq(commands) {
			redisReplies[command] = r
		}
	}
}

// anyRedisReplies are drawn for commands that are not in redisReplies, such as scripts and those of modules.
var anyRedisReplies = []redisReply{{redisInteger, true}, {redisText, true}, {redisStatus, true}, {redisList, true}}

const nilChance = 0.25 // probability of nil, if a command may return it

// redisErrors are the usual errors of Redis, scriptErrors those of scripts.
var (
	redisErrors = []any{
		"READONLY You can't write against a read only replica.", "OOM command not allowed when used memory > 'maxmemory'.",
		"LOADING Redis is loading the dataset in memory", "BUSY Redis is busy running a script",
		"WRONGTYPE Operation against a key holding the wrong kind of value",
	}
	scriptErrors = []any{"NOSCRIPT No matching script.", "ERR user_script:1: script failed"}
)

// setsConditionally matches the words by which SET may set nothing.
var setsConditionally = regexp.MustCompile("(?i)^(NX|XX|GET)$")

// addRedisReply gives an answer the reply to a command of Redis.
func (h *Hosts) addRedisReply(r *rand.Rand, s *Stub, a *answer, isError bool) {
	form, known := redisReplies[strings.ToUpper(s.command)]
	if !known {
		form = anyRedisReplies[r.IntN(len(anyRedisReplies))]
	}
	if form.kind == redisList && slices.ContainsFunc(s.arguments, func(word string) bool { return strings.EqualFold(word, "WITHSCORES") }) {
		form.kind = redisPairs
	}
	if strings.EqualFold(s.command, "SET") && slices.ContainsFunc(s.arguments, setsConditionally.MatchString) {
		form.isNil = true
	}
	a.reply.kind, a.reply.redis = valueReply, &form
	switch isConflict := s.isTransaction() && h.endpoints.watches(s.host) && r.IntN(2) == 0; {
	case isConflict, !isError && form.isNil && r.Float64() < nilChance:
		form.kind = redisNil
		a.body = nil
		return
	case isError:
		a.reply.kind = failReply
		possible := redisErrors
		if !known {
			possible = slices.Concat(redisErrors, scriptErrors)
		}
		a.body = gene.New(&model.Schema{Type: "string", Enum: possible})
		a.body.Sample(r)
		return
	}
	if form.kind == redisNil || form.kind == redisStatus {
		a.body = nil
		return
	}
	a.body = gene.New(h.redisSchema(form.kind))
	a.body.Sample(r)
	if r.Float64() < completeChance {
		gene.FillOptional(r, a.body)
	}
}

// redisSchema returns the schema of a reply of Redis. Texts may be documents that the service decodes.
func (h *Hosts) redisSchema(kind redisKind) *model.Schema {
	text := &model.Schema{AnyOf: []*model.Schema{{Type: "string"}, {Type: "integer", Min: new(0.0), Max: new(1000.0)}}}
	most := 4
	switch kind {
	case redisInteger:
		return &model.Schema{Type: "integer", Min: new(-2.0), Max: new(10000.0)}
	case redisDouble:
		return &model.Schema{Type: "number", Min: new(-1000.0), Max: new(1000.0)}
	case redisMap:
		return &model.Schema{Type: "object", Additional: text}
	case redisPairs:
		return &model.Schema{Type: "array", MaxItems: &most, Items: &model.Schema{Type: "string"}}
	}
	for _, d := range h.Vocabulary.Documents {
		if d.Encoding == model.JSONEncoding {
			text.AnyOf = append(text.AnyOf, d.Schema)
		}
	}
	if kind == redisText {
		return text
	}
	return &model.Schema{Type: "array", MaxItems: &most, Items: text}
}

// writeRedis returns a reply in the notation of Redis.
func (p *reply) writeRedis(g gene.Gene) []byte {
	var v any
	switch {
	case p.kind == failReply:
		v = map[string]any{"error": gene.Text(g)}
	case p.redis.kind == redisNil:
	case p.redis.kind == redisStatus:
		v = map[string]any{"status": "OK"}
	default:
		v = redisValue(p.redis.kind, g)
	}
	b, _ := json.Marshal(v) // such values can be encoded
	return b
}

// redisValue returns the value of a gene in the notation of Redis.
func redisValue(kind redisKind, g gene.Gene) any {
	list := []any{}
	for _, item := range gene.Elements(g) {
		list = append(list, redisWord(item))
		if kind == redisPairs {
			list = append(list, map[string]any{"double": strconv.Itoa(len(list))})
		}
	}
	for _, f := range gene.PresentFields(g) {
		if kind == redisMap {
			list = append(list, f.Name, redisWord(f.Gene))
		}
	}
	switch kind {
	case redisInteger:
		return json.Number(gene.Text(g))
	case redisDouble:
		return map[string]any{"double": gene.Text(g)}
	case redisMap:
		return map[string]any{"map": list}
	case redisSet:
		return map[string]any{"set": list}
	case redisScan:
		return []any{"0", list}
	case redisList, redisPairs:
		return list
	}
	return redisWord(g)
}

// redisWord returns the text of a value: a document as JSON.
func redisWord(g gene.Gene) any {
	if gene.IsScalar(g) {
		return gene.Text(g)
	}
	return string(gene.JSON(g))
}
