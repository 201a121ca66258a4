package main

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
)

var durationType = reflect.TypeFor[time.Duration]()

// mapDuration reads a duration flag; a bare number is seconds.
func mapDuration(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("duration")
	if err != nil {
		return err
	}
	text := fmt.Sprint(token.Value)
	d, err := time.ParseDuration(text)
	if err != nil {
		seconds, numberErr := strconv.ParseFloat(text, 64)
		if numberErr != nil {
			return fmt.Errorf("%q is not a duration: write 90s, 5m or a number of seconds", text)
		}
		d = time.Duration(seconds * float64(time.Second))
	}
	target.SetInt(int64(d))
	return nil
}
