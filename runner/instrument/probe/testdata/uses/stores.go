package main

import (
	"context"
	"database/sql"

	_ "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

func init() {
	uses["mysql"] = func(ctx context.Context) (any, error) {
		db, err := sql.Open("mysql", "u:p@tcp(mysql.example:3306)/x")
		if err != nil {
			return nil, err
		}
		defer db.Close()
		return nil, db.PingContext(ctx)
	}
	uses["pgx"] = func(ctx context.Context) (any, error) {
		c, err := pgx.Connect(ctx, "postgres://u:p@pg.example:5432/x?sslmode=disable")
		if err != nil {
			return nil, err
		}
		return "connected", c.Close(ctx)
	}
	uses["redis"] = func(ctx context.Context) (any, error) {
		c := redis.NewClient(&redis.Options{Addr: "redis.example:6379", Protocol: 2, DisableIdentity: true, MaxRetries: -1})
		defer c.Close()
		return c.Ping(ctx).Result()
	}
}
