// What a chess engine says by UCI, as it says it, without an engine.

import assert from "node:assert/strict"
import {test} from "node:test"

import {figure, lineOf, nagOf} from "../../server/web/static/board/uci.js"

const WHITE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
const BLACK = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
const SAID = "info depth 18 seldepth 26 multipv 2 score cp -35 nodes 94034 nps 400144 hashfull 42 time 235 pv e7e5 g1f3 "

test("a line has its place, depth, moves and worth as White has it", () => {
    const line = {place: 2, depth: 18, mate: 0, cp: -35, moves: ["e7e5", "g1f3"]}
    assert.deepEqual(lineOf(SAID, WHITE), line)
    assert.deepEqual(lineOf(SAID, BLACK), {...line, cp: 35})
    const mate = lineOf("info depth 5 score mate 2 time 1 pv d8h4", BLACK)
    assert.deepEqual(mate, {place: 1, depth: 5, mate: -2, cp: 0, moves: ["d8h4"]})
})

test("what is no whole line is none", () => {
    const half = "info depth 12 seldepth 20 multipv 1 score cp 31 lowerbound nodes 5 pv e2e4"
    const texts = [half, "info depth 0 score mate 0", "info string NNUE 1mb", "readyok", "",
        "info depth 9 currmove e2e4 currmovenumber 1", "bestmove e2e4 ponder e7e5"]
    assert.deepEqual(texts.map((text) => lineOf(text, WHITE)), texts.map(() => null))
})

test("it is worth a sign whose words the page has, and a figure of the language", () => {
    const of = (cp, mate = 0) => ({place: 1, depth: 1, cp, mate, moves: []})
    assert.deepEqual([0, 24, -24, 25, -60, 75, -199, 200, -900].map((cp) => nagOf(of(cp))),
        [10, 10, 10, 14, 15, 16, 17, 18, 19])
    assert.deepEqual([nagOf(of(0, 3)), nagOf(of(0, -1))], [18, 19])
    assert.deepEqual([35, -120, 0].map((cp) => figure(of(cp), "da")), ["+0,35", "−1,20", "0,00"])
    assert.deepEqual([figure(of(35), "en"), figure(of(0, 3), "da"), figure(of(0, -2), "da")], ["+0.35", "#3", "−#2"])
})
