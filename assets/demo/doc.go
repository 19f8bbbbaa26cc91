// Package demo is a small web shop for outdoor gear, Sonde's built-in API to explore and to test: an
// OpenAPI document ([Specification]) and the service that it describes ([Shop]). It uses only the standard
// library and keeps its state in memory. It is an example with built-in faults, and not a library for real
// services.
//
// The shop sells products, at prices with promotions; people review them, put
// them into carts, order the carts, pay and have the goods shipped:
//
//	POST /products ─► POST /carts ─► POST /orders ─► POST …/payments ─► PATCH /orders/{orderId}
//	    admin           everyone        a user           its owner        admin ships, owner cancels
//
// Customers, coupons and stores share no value with the resources above, or with each other.
//
// # Identities
//
// Ids count up from 1 for each kind of resource, and a cart's UUID follows from its
// number. [Shop.Reset] starts over: after a reset the same requests get the same
// answers, except for times. The kind of resource decides where the answer to a creation
// has the id:
//
//   - product, cart, item, order: in the header Location and in the body
//   - customer, payment: only in Location; the body is empty
//   - review: only in the body, as "id"
//   - coupon: nowhere, because the client chooses the code and sends it with PUT
//
// # Users
//
// [Users] returns two users and an admin. Their tokens are public; they only
// distinguish the users.
//
// # Dependencies
//
// The shop calls three other hosts if [Config] names them. Without a payment
// provider, paying by card answers 503; voucher and invoice need no provider.
// Without a stock feed, POST /stock/{sku}/sync answers 503. Without a metrics
// address nothing is counted.
//
// # Faults
//
// Twelve faults are built in, F01 to F12; [BuiltInFaults] returns the table. Each is a missing check, so that the
// program panics, such as an index out of range, a division by zero or a nil map. The answer is then a 500. With
// Config.Reveal this answer has the ID of the fault in the header X-Fault. With Config.Healthy the shop makes all
// twelve checks and is correct.
package demo
