// What the browser keeps of a game is bounded, is its reader's own and never stops a page.

import assert from "node:assert/strict"
import {beforeEach, test} from "node:test"

import {recall, remember} from "../../server/web/static/board/keeping.js"

let reader

beforeEach(() => {
    reader = "7"
    const items = {}
    const store = (methods) => Object.defineProperties(items, Object.fromEntries(
        Object.entries(methods).map(([name, value]) => [name, {value, configurable: true}])))
    define("localStorage", store({
        getItem: (name) => items[name] ?? null,
        setItem: (name, value) => { items[name] = value },
        removeItem: (name) => delete items[name],
    }))
    define("document", {getElementById: () => ({dataset: {reader}})})
})

const define = (name, value) =>
    Object.defineProperty(globalThis, name, {value, configurable: true, writable: true})

test("what is kept comes back as it was, and only to its reader", () => {
    remember("draft", "1", {text: "e4"})
    assert.equal(recall("draft", "1").text, "e4")
    reader = "8"
    assert.equal(recall("draft", "1"), null)
})

test("the games looked at longest ago make room, and nothing kept is nothing stored", () => {
    for (let game = 0; game < 50; game += 1) {
        remember("draft", String(game), {text: "e4"})
    }
    assert.equal(Object.keys(localStorage).length, 40)
    assert.ok(recall("draft", "49"))
    remember("draft", "49", null)
    assert.equal(recall("draft", "49"), null)
})

test("what is no JSON is nothing", () => {
    localStorage.setItem("kskak:7:draft:1", "{")
    assert.equal(recall("draft", "1"), null)
})

test("a browser that keeps nothing stops nothing", () => {
    define("localStorage", null)
    remember("draft", "1", {text: "e4"})
    assert.equal(recall("draft", "1"), null)
})
