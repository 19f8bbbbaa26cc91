#!/bin/sh
# What I use every day.
BASE=http://127.0.0.1:8080

curl "$BASE/products?limit=5" -s | jq .

curl -X POST "$BASE/products" \
  -H 'Content-Type: application/json' \
  -H "Authorization: Bearer $TOKEN" \
  --data-raw $'{"name": "Ann\'s tent"}' --compressed

curl -u ann:s3cret "${BASE}/orders"
curl --json '{"a": 1}' --json ', "b": 2' localhost:8080/things
curl -F title='A cat' -F 'photo=@cat.png;type=image/png' "$BASE/photos"
curl -G "$BASE/search" --data-urlencode 'q=a b&c' -d page=2
curl -sSL -XPUT --data-binary @product.json -H'Content-Type: application/json' "$BASE/products/p1"
curl -d name=ann -d 'note=a%26b' "$BASE/login"
curl "$BASE/orders" -d @- <<END
{"productId": "p1"}
END
curl "$BASE/today/$(date +%F)"
curl -I --frobnicate "$BASE/health"
