// Package modules imports public modules, with whose tests probes are measured. It
// is a separate module, so that Sonde does not depend on them.
package modules

import (
	_ "github.com/dop251/goja"
	_ "github.com/expr-lang/expr"
	_ "github.com/gin-gonic/gin"
	_ "github.com/go-chi/chi/v5"
	_ "github.com/go-playground/validator/v10"
	_ "github.com/klauspost/compress"
	_ "github.com/labstack/echo/v4"
	_ "github.com/samber/lo"
	_ "github.com/tidwall/gjson"
	_ "go.etcd.io/bbolt"
)
