// An engine that knows nothing of chess, as a worker that speaks UCI: it thinks until it is stopped
// while White is to move, and has soon done for Black. It compiles code as the real one does.

const LINES = {
    w: [["cp 31", "e2e4 e7e5"], ["cp 20", "d2d4"], ["mate 3", "g1f3 g8f6"]],
    b: [["cp -210", "e7e5 g1f3 b8c6"], ["cp -20", "c7c5"], ["mate -2", "f7f6"]],
}
let side = "w"

function say(...texts) {
    texts.forEach((text) => postMessage(text))
}

onmessage = ({data}) => {
    if (data === "uci") {
        new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
        say("id name Nothing", "uciok")
    } else if (data === "isready") {
        say("readyok")
    } else if (data.startsWith("position fen ")) {
        side = data.split(" ")[3]
    } else if (data.startsWith("go ")) {
        LINES[side].forEach(([score, moves], index) =>
            say(`info depth 20 seldepth 30 multipv ${index + 1} score ${score} nodes 7 pv ${moves}`))
        if (side === "b") {
            say("bestmove e7e5")
        }
    } else if (data === "stop") {
        say("bestmove e2e4 ponder e7e5")
    }
}
