// What the browser keeps of a game is bounded, is its reader's own and never stops a page.

import assert from "node:assert/strict"
import {beforeEach, test} from "node:test"

import {MOST_LINES, keep, load, recall, remember} from "../../server/web/static/board/keeping.js"

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

test("lines come back as they were, and only to their reader", () => {
    keep("1", [{ply: 3, moves: ["e2e4"]}])
    assert.deepEqual(load("1"), [{ply: 3, moves: ["e2e4"]}])
    reader = "8"
    assert.deepEqual(load("1"), [])
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

test("what cannot be a line is left out, whatever wrote it", () => {
    const odd = [null, {ply: -1, moves: []}, {ply: 0, moves: ["<img>"]}, {ply: 0, moves: "e2e4"}]
    const lines = Array.from({length: MOST_LINES + 5}, () => ({ply: 0, moves: ["e2e4"]}))
    localStorage.setItem("kskak:7:lines:1", JSON.stringify({lines: [...odd, ...lines]}))
    assert.equal(load("1").length, MOST_LINES)
    localStorage.setItem("kskak:7:lines:1", "{")
    assert.deepEqual(load("1"), [])
})

test("a browser that keeps nothing stops nothing", () => {
    define("localStorage", null)
    keep("1", [{ply: 0, moves: ["e2e4"]}])
    assert.deepEqual(load("1"), [])
})
