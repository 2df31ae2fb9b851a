// What trying moves and building a series need beyond the board itself: fetched when they are
// begun, as one file (web/frame/joined_files.py).

import * as rules from "./rules.js"
import {Trying} from "./trying.js"
import {Proposing} from "./proposing.js"
import {Book} from "./book.js"

Trying.engine = () => import("./engine.js") // the one file that is fetched when it is turned on

export {rules, Trying, Proposing, Book}
