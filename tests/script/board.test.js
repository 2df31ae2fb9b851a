// The pure modules of the board, without a browser: `deno test` or `node --test`.
// Not for what needs a page (tests/browser).

import assert from "node:assert/strict"
import {test} from "node:test"

import {Chess} from "../../server/web/static/vendor/chess.js/dist/esm/chess.js"
import {after, half, listed, numbered, placings, taken} from "../../server/web/static/board/position.js"
import {gameTree, mainLine, numeric, read, written} from "../../server/web/static/board/rules.js"

const START = new Chess().fen()
const OPENED = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]

// The same games every time; rare moves are played where there are any.
function* games(count) {
    let seed = 20261125
    for (let n = 0; n < count; n += 1) {
        const game = new Chess()
        "e4 a6 e5 d5 exd6 Nf6".split(" ").slice(0, n % 7).forEach((san) => game.move(san))
        while (!game.isGameOver() && game.history().length < 120) {
            seed = (seed * 16807) % 2147483647
            const moves = game.moves()
            game.move(moves.find((san) => /^O|=/.test(san)) || moves[seed % moves.length])
        }
        yield game.history({verbose: true})
    }
}

test("the board moves its pieces as the rules do, in every kind of move", () => {
    const seen = new Set()
    for (const moves of games(7)) {
        const shown = placings(START, moves.map((move) => move.lan))
        moves.forEach((move, ply) => {
            assert.equal(shown[ply + 1], move.after.split(" ")[0], `${move.before} ${move.lan}`)
            seen.add(move.flags.replace(/[nbc]/g, ""))
        })
    }
    assert.deepEqual([...seen].filter(Boolean).sort(), ["e", "k", "p", "q"])
})

test("a pawn becomes what it was promoted to, of its own colour", () => {
    assert.equal(after("4k3/P7/8/8/8/8/p7/4K3", "a7a8n"), "N3k3/8/8/8/8/8/p7/4K3")
    assert.equal(after("4k3/P7/8/8/8/8/p7/4K3", "a2a1q"), "4k3/P7/8/8/8/8/8/q3K3")
})

test("moves are counted from the position that the game began in", () => {
    assert.deepEqual(half("8/8/8/8/8/8/8/8 b - - 0 12", 0), {number: 12, white: false})
    assert.equal(numbered("8/8/8/8/8/8/8/8 b - - 0 12", 0, ["Sf6", "g3"]), "12… Sf6 13. g3")
    assert.equal(numbered(START, 2, ["Sf3", "Sc6"]), "2. Sf3 Sc6")
})

test("pieces are named as they are read out, and what was taken is counted", () => {
    assert.deepEqual(listed("4k3/8/8/8/8/8/P6r/R3K3", true), [["k", "e1"], ["r", "a1"], ["p", "a2"]])
    assert.equal(taken(START, START, true), "")
    assert.equal(taken(START, "rnb1kbnr/ppp1pppp/8/8/8/8/8/4K3", true), "♟\ufe0e♛\ufe0e")
})

test("a move is written in each notation that a player may choose", () => {
    const castled = [...OPENED, "g8f6", "e1g1"]
    const last = (writing, lang) => written(START, castled, {writing, lang}).slice(-3)
    assert.deepEqual(last("letters", "da"), ["Lb5", "Sf6", "0-0"])
    assert.deepEqual(last("letters", "en"), ["Bb5", "Nf6", "O-O"])
    assert.deepEqual(last("danish", "en"), ["Lb5", "Sf6", "0-0"])
    assert.deepEqual(last("figurines", "da"), ["♗b5", "♘f6", "0-0"])
    assert.deepEqual(last("long", "en"), ["Bf1-b5", "Ng8-f6", "O-O"])
    assert.deepEqual(last("numeric", "da"), ["6125", "7866", "5171"]) // § 6.2.2
    assert.equal(numeric("e7d8n"), "5748(4)")
})

// The nodes of a game, from its beginning.
function nodes(moves) {
    const root = gameTree(START, moves)
    return [root, ...mainLine(root)]
}

const line = (node) => [node, ...mainLine(node)].map(({san}) => san)

test("another program's game is laid beside this one, with its variations", () => {
    const game = nodes(OPENED)
    const text = "1. e4 e5 2. Sf3 (2. Lc4 Lc5 3. Dh5) 2... Sc6 3. Bb5 a6 $1 {fint} *"
    const {node, isNew} = read(text, game)
    assert.equal(isNew, true)
    assert.equal(node.parent === game[2] || node.parent === game[5], true)
    assert.deepEqual(line(game[5].children[0]), ["a6"])
    assert.deepEqual(game[5].children[0].nags, [1])
    assert.deepEqual(line(game[2].children[1]), ["Bc4", "Bc5", "Qh5"])
    assert.equal(read(text, game).isNew, false, "read twice, nothing is new")
})

test("moves alone begin where their number stands, and what follows a null move is words", () => {
    const game = nodes(OPENED)
    assert.deepEqual(line(read("3... a6 4. Ba4", game).node), ["a6", "Ba4"])
    const {node} = read("2. Nc3 -- 3. f4 $1", game)
    assert.deepEqual([line(node), node.parent === game[2], node.comment], [["Nc3"], true, "-- 3. f4 $1"])
    assert.throws(() => read("9. Nbd2 h6", game), {message: "Nbd2"})
})

test("what is another game, or none, is not laid in", () => {
    const game = nodes(OPENED)
    assert.equal(read("1. d4 d5", game), null)
    assert.throws(() => read("1. e4 e5 2. Ke4", game), {message: "Ke4"}, "what it stopped at is named")
    const second = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert.equal(read(second, game).node, game[2])
})
