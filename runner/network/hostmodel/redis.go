package hostmodel

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// redisReply describes the replies to a command of Redis.
type redisReply struct {
	kind  redisKind
	isNil bool   // the reply may also be nil
	keys  int    // for the kind redisEach: the number of elements
	key   string // for the kind redisKeyed: the key
}

// redisKind is the type of a reply of Redis.
type redisKind uint8

const (
	redisText    redisKind = iota
	redisInteger           // not negative
	redisSigned            // any integer
	redisDouble
	redisStatus
	redisList
	redisEach  // a list with an element for each key; an element may be nil
	redisKeyed // a key, and a text
	redisTime  // seconds and microseconds
	redisSet
	redisMap
	redisScan   // a cursor, and a list
	redisFields // a cursor, and a list in which texts and numbers alternate
	redisPairs  // a list in which texts and their scores alternate
	redisNil
)

// redisReplies has the forms of replies, by command.
var redisReplies = map[string]redisReply{}

func init() {
	for commands, r := range map[string]redisReply{
		"GET GETDEL GETEX GETSET HGET LINDEX LPOP RPOP SPOP SRANDMEMBER RPOPLPUSH LMOVE " +
			"RANDOMKEY HRANDFIELD XADD": {kind: redisText, isNil: true},
		"GETRANGE ECHO INFO DUMP ACL": {kind: redisText},
		"APPEND BITCOUNT COPY DBSIZE DEL EXISTS EXPIRE EXPIREAT GEOADD GETBIT HDEL HEXISTS HLEN HSET HSETNX HSTRLEN LASTSAVE LLEN " +
			"LPUSH LPUSHX LREM MOVE MSETNX PERSIST PEXPIRE PEXPIREAT PFADD PFCOUNT PUBLISH RENAMENX RPUSH RPUSHX SADD SCARD SDIFFSTORE " +
			"SETBIT SETNX SETRANGE SINTERSTORE SISMEMBER SMOVE SREM STRLEN SUNIONSTORE TOUCH UNLINK XACK XDEL XLEN XTRIM ZADD ZCARD " +
			"ZCOUNT ZINTERSTORE ZLEXCOUNT ZREM ZREMRANGEBYRANK ZREMRANGEBYSCORE ZUNIONSTORE": {kind: redisInteger},
		"DECR DECRBY HINCRBY INCR INCRBY LINSERT PTTL TTL": {kind: redisSigned},
		"ZRANK ZREVRANK LPOS":                              {kind: redisInteger, isNil: true},
		"INCRBYFLOAT HINCRBYFLOAT ZINCRBY":                 {kind: redisDouble},
		"ZSCORE GEODIST":                                   {kind: redisDouble, isNil: true},
		"MSET HMSET LSET LTRIM RENAME FLUSHALL FLUSHDB PSETEX SETEX WATCH UNWATCH CONFIG XGROUP RESTORE SET": {kind: redisStatus},
		"LRANGE KEYS HKEYS HVALS ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE SORT GEORADIUS GEOSEARCH":   {kind: redisList},
		"MGET HMGET":                         {kind: redisEach},
		"BLPOP BRPOP":                        {kind: redisKeyed, isNil: true},
		"TIME":                               {kind: redisTime},
		"SMEMBERS SINTER SUNION SDIFF":       {kind: redisSet},
		"HGETALL":                            {kind: redisMap},
		"SCAN SSCAN":                         {kind: redisScan},
		"HSCAN ZSCAN":                        {kind: redisFields},
		"ZPOPMIN ZPOPMAX":                    {kind: redisPairs},
		"XREAD XREADGROUP BZPOPMIN BZPOPMAX": {kind: redisNil, isNil: true},
	} {
		for command := range strings.FieldsSeq(commands) {
			redisReplies[command] = r
		}
	}
}

// anyRedisReplies are the forms that are drawn for commands that are not in redisReplies, such as EVAL and commands of modules.
var anyRedisReplies = []redisReply{
	{kind: redisSigned, isNil: true}, {kind: redisText, isNil: true}, {kind: redisStatus, isNil: true}, {kind: redisList, isNil: true},
}

// redisReplyTo returns the form of the reply to a command, which may depend on its arguments. words are the command and its
// arguments. known is false if the command is not in redisReplies.
func redisReplyTo(words []string) (form redisReply, known bool) {
	command := strings.ToUpper(words[0])
	form, known = redisReplies[command]
	has := func(words []string, options string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(strings.Fields(options), strings.ToUpper(word)) })
	}
	switch n := len(words); {
	case form.kind == redisList && has(words, "WITHSCORES"):
		form.kind = redisPairs
	case command == "SET" && n > 3:
		form.isNil = has(words[3:], "NX XX GET")
	case n > 2 && has(words[:1], "LPOP RPOP SPOP SRANDMEMBER HRANDFIELD"): // with a count
		form.kind = redisList
	case command == "MGET":
		form.keys = n - 1
	case command == "HMGET":
		form.keys = max(0, n-2)
	case form.kind == redisKeyed && n > 1:
		form.key = words[1]
	}
	return form, known
}

const nilChance = 0.25 // probability of nil, if a command may return it

// redisErrors are usual errors of Redis, and scriptErrors are usual errors of scripts.
var (
	redisErrors = []any{
		"READONLY You can't write against a read only replica.", "OOM command not allowed when used memory > 'maxmemory'.",
		"LOADING Redis is loading the dataset in memory", "BUSY Redis is busy running a script",
		"WRONGTYPE Operation against a key holding the wrong kind of value",
	}
	scriptErrors = []any{"NOSCRIPT No matching script.", "ERR user_script:1: script failed"}
)

// addRedisReply gives an answer the reply to a command of Redis.
func (sa sampler) addRedisReply(s *Stub, a *answer, isError bool) {
	words := s.words
	if len(words) == 0 {
		words = []string{s.command}
	}
	form, known := redisReplyTo(words)
	if !known {
		form = anyRedisReplies[sa.IntN(len(anyRedisReplies))]
	}
	a.reply.kind, a.reply.redis = valueReply, &form
	switch isConflict := s.isTransaction() && sa.endpoints.watches(s.host) && sa.IntN(2) == 0; {
	case isConflict, !isError && form.isNil && sa.Float64() < nilChance:
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
		a.body.Sample(sa.Rand)
		return
	}
	if form.kind == redisNil || form.kind == redisStatus {
		a.body = nil
		return
	}
	a.body = gene.New(sa.vocabulary.redisSchema(form.kind))
	a.body.Sample(sa.Rand)
	if sa.Float64() < completeChance {
		gene.FillOptional(sa.Rand, a.body)
	}
}

// redisSchema returns the schema of a reply of Redis. Texts, except those in maps and pairs, may be JSON documents that
// the service decodes.
func (v *Vocabulary) redisSchema(kind redisKind) *model.Schema {
	text := &model.Schema{AnyOf: []*model.Schema{{Type: "string"}, {Type: "integer", Min: new(0.0), Max: new(1000.0)}}}
	most := 4
	switch kind {
	case redisInteger, redisTime:
		return &model.Schema{Type: "integer", Min: new(0.0), Max: new(10000.0)}
	case redisSigned:
		return &model.Schema{Type: "integer", Min: new(-2.0), Max: new(10000.0)}
	case redisDouble:
		return &model.Schema{Type: "number", Min: new(-1000.0), Max: new(1000.0)}
	case redisMap:
		return &model.Schema{Type: "object", Additional: text}
	case redisPairs:
		return &model.Schema{Type: "array", MaxItems: &most, Items: &model.Schema{Type: "string"}}
	}
	for _, d := range v.Documents {
		if d.Encoding == model.JSONEncoding {
			text.AnyOf = append(text.AnyOf, d.Schema)
		}
	}
	if kind == redisText || kind == redisKeyed {
		return text
	}
	return &model.Schema{Type: "array", MaxItems: &most, Items: text}
}

// writeRedis returns a reply of Redis as JSON, in the form that stubs of Redis have. g has the value of the reply.
func (p *reply) writeRedis(g gene.Gene) []byte {
	var v any
	switch {
	case p.kind == failReply:
		v = map[string]any{"error": gene.Text(g)}
	case p.redis.kind == redisNil:
	case p.redis.kind == redisStatus:
		v = map[string]any{"status": "OK"}
	default:
		v = p.redis.value(g)
	}
	b, _ := json.Marshal(v) // such values can be encoded
	return b
}

// value returns the value of g as JSON, in the form that stubs of Redis have for this kind of reply.
func (p *redisReply) value(g gene.Gene) any {
	switch p.kind {
	case redisInteger, redisSigned:
		return json.Number(gene.Text(g))
	case redisDouble:
		return map[string]any{"double": gene.Text(g)}
	case redisTime:
		return []any{gene.Text(g), "0"}
	case redisKeyed:
		return []any{p.key, redisWord(g)}
	case redisMap:
		list := []any{}
		for _, f := range gene.PresentFields(g) {
			list = append(list, f.Name, redisWord(f.Gene))
		}
		return map[string]any{"map": list}
	case redisSet:
		return map[string]any{"set": p.list(g)}
	case redisScan, redisFields:
		return []any{"0", p.list(g)}
	case redisList, redisPairs, redisEach:
		return p.list(g)
	}
	return redisWord(g)
}

// list returns the elements of g as texts. With redisPairs it adds a score after each text, with redisFields a number. With redisEach
// it makes the list as long as the number of keys.
func (p *redisReply) list(g gene.Gene) []any {
	list := []any{}
	for _, item := range gene.Elements(g) {
		list = append(list, redisWord(item))
		switch n := strconv.Itoa(len(list)); p.kind {
		case redisPairs:
			list = append(list, map[string]any{"double": n})
		case redisFields:
			list = append(list, n)
		}
	}
	if p.kind == redisEach {
		list = append(list, make([]any, max(0, p.keys-len(list)))...)[:p.keys] // elements that g does not have are nil
	}
	return list
}

// redisWord returns a value as a text. A document becomes JSON.
func redisWord(g gene.Gene) any {
	if gene.IsScalar(g) {
		return gene.Text(g)
	}
	return string(gene.JSON(g))
}
