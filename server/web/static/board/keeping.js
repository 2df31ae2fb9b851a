// The lines tried on a game, kept in this browser: bounded, and never a reason to stop. What is
// kept belongs to the reader it was kept for: his number stands in its name, and app.js removes it
// as soon as the browser is another's.

const MOST_GAMES = 40
export const MOST_LINES = 20
export const MOST_MOVES = 120

const isLine = (line) =>
    Number.isInteger(line?.ply) && line.ply >= 0 && Array.isArray(line.moves)
    && line.moves.length <= MOST_MOVES
    && line.moves.every((uci) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(uci))

const prefix = () => `kskak:${document.getElementById("app").dataset.reader}:lines:`

export function load(key) {
    try {
        const kept = JSON.parse(localStorage.getItem(prefix() + key) || "null")
        return (kept?.lines || []).filter(isLine).slice(0, MOST_LINES)
    } catch {
        return []
    }
}

export function keep(key, lines) {
    try {
        const mine = prefix()
        if (lines.length === 0) {
            localStorage.removeItem(mine + key)
            return
        }
        const plain = lines.map(({ply, moves}) => ({ply, moves}))
        localStorage.setItem(mine + key, JSON.stringify({at: Date.now(), lines: plain}))
        const others = Object.keys(localStorage).filter((name) => name.startsWith(mine))
        if (others.length > MOST_GAMES) {
            const age = (name) => JSON.parse(localStorage.getItem(name))?.at || 0
            others.sort((a, b) => age(a) - age(b))
            others.slice(0, others.length - MOST_GAMES).forEach((name) => localStorage.removeItem(name))
        }
    } catch {
        // A browser that keeps nothing: the lines live as long as the page.
    }
}
