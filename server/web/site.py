"""The pages' addresses, and how they are put on an app. Not for starting a server (server.app)."""

from aiohttp import web

from server.usecases.core.context import Core
from server.usecases.play.open_pages import Hub
from server.web.account import language_choice as preferences
from server.web.account import notifications as notifying
from server.web.account import routes as accountroutes
from server.web.account import settings as choosing
from server.web.account import sign_in as signing
from server.web.archive import pages as archive
from server.web.cases import decide_withdrawal as leavingdeed
from server.web.cases import deciding
from server.web.cases import deeds as casedeeds
from server.web.cases import file as casefile
from server.web.cases import page as casepage
from server.web.cup import desk as cupdesk
from server.web.cup import pages as cup
from server.web.desks import books as economy
from server.web.desks import mail_desk as maildesk
from server.web.desks import mailbox
from server.web.desks import overview as desks
from server.web.desks import year as yearplan
from server.web.entries import desk as entrydesk
from server.web.entries import entry_desk as entryone
from server.web.entries import page as entering
from server.web.entries import player_record as entryrecord
from server.web.frame import answered_forms as answered
from server.web.frame import assets, installing
from server.web.frame import event_stream as events
from server.web.frame import own_source as ownsource
from server.web.frame.context import CORE
from server.web.frame.form_faults import stands_on
from server.web.frame.forms import FILES
from server.web.frame.middleware import add_headers, frame
from server.web.frame.throttle import Throttle
from server.web.groups import bulletin_desk as bulletindesk
from server.web.groups import bulletins, titles
from server.web.groups import desk as groupdesk
from server.web.groups import page as grouppage
from server.web.groups import published as results
from server.web.groups import tie_desk as tiedesk
from server.web.help import pages as help
from server.web.league import captain_desk as captaindesk
from server.web.league import desk as leaguedesk
from server.web.league import pages as league
from server.web.league import season_plans as leagueplans
from server.web.league import team_desk as teamdesk
from server.web.league import team_entry as teamentry
from server.web.play import confirm_link as confirming
from server.web.play import delayed_move as delaying
from server.web.play import diagrams, objecting, statement
from server.web.play import end_game as ending
from server.web.play import game_page as gamepage
from server.web.play import my_games as mygames
from server.web.play import own_side_page as ownside
from server.web.play import send_move as moving
from server.web.postal import by_email as postal
from server.web.postal import cards
from server.web.rating import desk as rating_desk
from server.web.rating import pages as ratings
from server.web.reflection import leave as feeding
from server.web.reflection import leave as leaving
from server.web.reflection import long_think as thinking
from server.web.reflection import special_leave as granting
from server.web.register import files as registerfiles
from server.web.register import join_desk as joindesk
from server.web.register import joining, members
from server.web.register import own_address as ownpage
from server.web.register import players_and_clubs as lists

GAME = r"/games/{game:\d{1,18}}"
CASE = r"/desk/cases/{year:\d{4}}/{n:\d{1,9}}"
TEAM = r"/captain/{team:\d{1,18}}"
TEAM_ENTRY = r"/team-entry/{entry:\d{1,18}}"
DIVISION = "/desk/league/{name:.+}"
CUP = r"/desk/cups/{cup:\d{1,18}}"
PLAN = r"/desk/league-plans/{plan:\d{1,18}}"

ROUTES = (
    web.get("/", mygames.front),
    web.get("/games", mygames.all_mine),
    web.get("/next", mygames.go_on),
    web.get("/signin", signing.ask_page),
    web.post("/signin", signing.ask),
    web.get("/login/{token}", signing.link_page),
    web.post("/login/{token}", signing.use_link),
    web.post("/signout", signing.sign_out),
    web.post("/language", preferences.choose_language),
    web.get("/about", preferences.about),
    web.get(ownsource.PATH, ownsource.give),
    *accountroutes.ROUTES,
    *joining.ROUTES,
    *joindesk.ROUTES,
    web.get("/help", help.index),
    web.get("/help/first", help.first),
    web.get("/help/play", help.play),
    web.get("/help/mail", help.mail),
    web.get("/help/rules", help.rules),
    web.get("/help/notation", help.notation),
    web.get("/help/officials", help.officials),
    web.get("/settings", ownpage.show),
    web.post("/settings", ownpage.do),
    web.get("/events", events.listen, allow_head=False),
    *installing.ROUTES,
    *notifying.ROUTES,
    *choosing.ROUTES,
    web.get(GAME, gamepage.show),
    web.get(f"{GAME}.pgn", diagrams.game_pgn),
    web.get(f"{GAME}/board.png", diagrams.game_picture),
    web.get(f"{GAME}/{{step:preview|change|move|hold|delayed}}", gamepage.back),
    web.post(f"{GAME}/preview", moving.show_preview),
    web.post(f"{GAME}/change", moving.change),
    web.post(f"{GAME}/move", moving.send),
    web.post(f"{GAME}/hold", delaying.hold),
    web.post(f"{GAME}/delayed", delaying.do),
    web.get(f"{GAME}/private", ownside.show),
    web.post(f"{GAME}/lines", ownside.lines),
    web.post(f"{GAME}/note", ownside.note),
    web.post(f"{GAME}/thread", ownside.thread),
    web.get(f"{GAME}/end/{{kind}}", ending.question),
    web.post(f"{GAME}/end/{{kind}}", ending.do),
    web.get(f"{GAME}/object", objecting.question),
    web.post(f"{GAME}/object", objecting.do),
    web.get(f"{GAME}/case.zip", casefile.show),
    web.get("/pgn/{name:.+}.pgn", casefile.group),
    web.get(f"{GAME}/card", cards.show),
    web.post(f"{GAME}/card", cards.preview),
    web.post(f"{GAME}/card/record", cards.record),
    web.get(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/scan", cards.scan),
    web.post(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/seen", results.card_seen),
    web.post(f"{GAME}/receipt", postal.receipt),
    web.get("/results/{name:.+}", results.show),
    web.post("/results/{name:.+}", results.do),
    web.post(f"{GAME}/email", postal.email),
    web.get(f"{GAME}/statement", statement.show),
    web.get(f"{GAME}/statement.json", statement.as_json),
    web.get(f"{GAME}/statement.txt", statement.as_text),
    web.get("/groups/{name:.+}/start.pdf", grouppage.start_pdf),
    web.get("/groups/{name:.+}", grouppage.show),
    web.get("/bulletins", bulletins.listed),
    web.post("/bulletins", bulletins.want),
    web.get(r"/bulletins/{number:\d{1,9}}", bulletins.show),
    web.get(r"/bulletins/{number:\d{1,9}}.pdf", bulletins.as_file),
    web.get("/desk/bulletin", bulletindesk.show),
    web.post("/desk/bulletin", bulletindesk.do),
    web.get("/cup", cup.index),
    web.get(r"/cup/{edition:\d{4}}", cup.show),
    web.get("/titles", titles.show),
    web.post("/titles", titles.enter),
    web.post(r"/titles/{title:\d{1,18}}/remove", titles.remove),
    web.get("/desk/cups", cupdesk.listed),
    web.post("/desk/cups", cupdesk.open_new),
    web.get(CUP, cupdesk.show),
    web.post(f"{CUP}/draw", cupdesk.draw),
    web.get("/ratings", ratings.listed),
    web.get("/ratings.csv", ratings.as_csv),
    web.get("/ratings/{name:.+}", ratings.show),
    web.get("/desk/ratings", rating_desk.show),
    web.post("/desk/ratings", rating_desk.do),
    web.get("/league", league.index),
    web.get("/league/{name:.+}", league.show),
    web.get("/captain", captaindesk.show),
    web.post(f"{TEAM}/reserve", captaindesk.reserve),
    web.post(f"{TEAM}/report", captaindesk.report),
    web.post(r"/captain/pauses/{reserve:\d{1,18}}/end", captaindesk.end_pause),
    web.get("/team-entry", teamentry.show),
    web.post("/team-entry", teamentry.do),
    web.post(rf"{TEAM_ENTRY}/lineup", teamentry.change),
    web.post(rf"{TEAM_ENTRY}/withdraw", teamentry.withdraw),
    web.get("/desk/team-entries", teamdesk.show),
    web.post("/desk/team-entries/districts", teamdesk.make_team),
    web.post("/desk/team-entries/admins", teamdesk.admins),
    web.post(
        r"/desk/team-entries/{entry:\d{1,18}}/{deed:fee|leave|refuse|withdraw}", teamdesk.deed
    ),
    web.get("/desk/league", leaguedesk.overview),
    web.get("/desk/league-plans", leagueplans.show),
    web.post("/desk/league-plans", leagueplans.do),
    web.get(PLAN, leagueplans.shown),
    web.post(f"{PLAN}/grant", leagueplans.grant),
    web.post(f"{PLAN}/start", leagueplans.start),
    web.post("/desk/league-plans/entered", leagueplans.of_entries),
    web.post(rf"{DIVISION}/reserves/{{reserve:\d{{1,18}}}}", leaguedesk.decide),
    web.post(rf"{DIVISION}/teams/{{team:\d{{1,18}}}}", leaguedesk.change),
    web.post(f"{DIVISION}/lots", leaguedesk.lots),
    web.post(f"{DIVISION}/stronger", leaguedesk.stronger),
    web.get(DIVISION, leaguedesk.show),
    web.get("/archive", archive.listed),
    web.get(r"/archive/tournaments/{event:\d{1,18}}", archive.tournament),
    web.get(r"/archive/{game:\d{1,18}}", archive.game),
    web.get(r"/archive/{game:\d{1,18}}.pgn", archive.as_pgn),
    web.get(r"/archive/{game:\d{1,18}}/board.png", diagrams.archive_picture),
    web.get(r"/archive/{game:\d{1,18}}/ledger.json", archive.as_ledger),
    web.get("/players", lists.players),
    web.get(r"/players/{person:\d{1,18}}", lists.player),
    web.get("/clubs", lists.clubs),
    web.get(r"/clubs/{club:\d{1,18}}", lists.club),
    web.get("/leave", leaving.show),
    web.post("/leave", leaving.ask),
    web.get("/enter", entering.show),
    web.post("/enter", entering.do),
    web.post(r"/enter/{entry:\d{1,18}}/withdraw", entering.withdraw),
    web.get("/desk", desks.leader),
    web.get("/desk/entries", entrydesk.show),
    web.post("/desk/entries", entrydesk.enter_player),
    web.post("/desk/entries/lists", entrydesk.add_list),
    web.post(r"/desk/entries/lists/{list:\d{1,18}}", entrydesk.change),
    web.get(r"/desk/entries/{entry:\d{1,18}}", entryone.show),
    web.post(r"/desk/entries/{entry:\d{1,18}}/{deed}", entryone.do),
    web.get("/desk/players", entryrecord.look),
    web.get(r"/desk/players/{person:\d{1,18}}", entryrecord.show),
    web.post(r"/desk/players/{person:\d{1,18}}", entryrecord.add),
    web.post(r"/desk/players/{person:\d{1,18}}/remove", entryrecord.remove),
    web.get("/desk/kc", desks.controller),
    web.post("/desk/kc/offices", desks.appoint),
    web.post(r"/desk/kc/offices/{office:\d{1,18}}", desks.dismiss),
    web.get("/desk/kc/year", yearplan.show),
    web.post("/desk/kc/year", yearplan.change),
    web.get("/desk/kc/economy", economy.show),
    web.post("/desk/kc/economy", economy.enter),
    web.get("/desk/kc/economy.csv", economy.export),
    web.post("/desk/kc/economy/import", economy.take_file),
    web.post(r"/desk/kc/economy/{entry:\d{1,18}}", economy.take_back),
    web.post(r"/desk/kc/economy/prizes/{publication:\d{1,18}}", economy.send_prizes),
    web.get("/desk/board", desks.board),
    web.get("/desk/long", groupdesk.long),
    web.post("/desk/long", groupdesk.call_in),
    web.get("/desk/groups/{name:.+}", groupdesk.show),
    web.post("/desk/groups/{name:.+}/withdraw", groupdesk.withdraw),
    web.post("/desk/groups/{name:.+}/annul", groupdesk.annul),
    web.post("/desk/groups/{name:.+}/live", groupdesk.follow),
    web.post("/desk/groups/{name:.+}/playoff", stands_on(groupdesk.show)(tiedesk.playoff)),
    web.post("/desk/groups/{name:.+}/shared-title", stands_on(groupdesk.show)(tiedesk.share)),
    web.get("/desk/members", members.listed),
    web.get("/desk/members/clubs", members.clubs),
    web.get("/desk/members/new", members.new),
    web.post("/desk/members/new", members.add),
    web.get(FILES, registerfiles.show),
    web.post(FILES, registerfiles.take),
    web.get("/desk/members/{what:members|clubs|ratings}.csv", registerfiles.give),
    web.get(r"/desk/members/{person:\d{1,18}}", members.show),
    web.post(r"/desk/members/{person:\d{1,18}}", members.change),
    web.post(r"/desk/members/{person:\d{1,18}}/ratings/remove", members.remove),
    web.get(CASE, casepage.show),
    web.get(rf"{CASE}/mails/{{mail:\d{{1,18}}}}", casepage.mail),
    web.get(rf"{CASE}/papers/{{paper:\d{{1,18}}}}", casepage.paper),
    web.post(f"{CASE}/decide", deciding.decide),
    web.post(f"{CASE}/edit", deciding.edit),
    web.post(f"{CASE}/rule", leavingdeed.rule),
    web.post(f"{CASE}/{{deed}}", casedeeds.do),
    web.post("/leave/shorten", leaving.make_shorter),
    web.post("/leave/feed", leaving.feed),
    web.get("/calendar/{key:[A-Za-z0-9_-]{1,80}}.ics", feeding.calendar),
    web.get("/desk/leave", granting.show),
    web.post("/desk/leave", granting.do),
    web.get("/desk/mail", maildesk.show),
    web.post(r"/desk/mail/{row:\d{1,18}}", maildesk.do),
    web.get("/mailbox", mailbox.show),
    web.get(r"/mailbox/{mail:\d{1,18}}", mailbox.read),
    web.get(r"/mailbox/{mail:\d{1,18}}/raw", mailbox.raw),
    web.get("/c/{token}", confirming.question),
    web.post("/c/{token}", confirming.answer),
    web.get("/think/{key:[a-z2-7]{1,80}}", thinking.question),
    web.post("/think/{key:[a-z2-7]{1,80}}", thinking.give),
    web.get("/static/{digest:[0-9a-f]{12}}/{name:.+}", assets.serve),
)


def setup(app: web.Application, core: Core, hub: Hub | None = None) -> None:
    """Put the pages on an app, with the headers and checks around them.

    ``hub``: what tells open pages of changes; without one they hear nothing.
    """
    app[CORE] = core
    app[events.HUB] = hub or Hub()
    app.on_shutdown.append(events.end_streams)
    app[signing.THROTTLE] = Throttle()
    app[answered.STRANGERS] = Throttle(answered.MOST_OF_STRANGER)
    app[joining.THROTTLE] = Throttle(joining.MOST)
    app.middlewares.append(frame)
    app.on_response_prepare.append(add_headers)
    app.add_routes(ROUTES)
