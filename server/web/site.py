"""The pages' routes, and adding them to an app. Not for starting a server (server.app)."""

from aiohttp import web

from server.usecases.core.context import Core
from server.usecases.play.open_pages import Hub
from server.web.account import language_choice as preferences
from server.web.account import notifications as notifying
from server.web.account import routes, settings, sign_in
from server.web.archive import pages as archive
from server.web.cases import decide_withdrawal as leavingdeed
from server.web.cases import deciding, deeds, file
from server.web.cases import page as casepage
from server.web.cup import desk as cupdesk
from server.web.cup import pages as cup
from server.web.desks import books, mail_desk, mailbox, outages, overview, year
from server.web.entries import desk as entrydesk
from server.web.entries import entry_desk, pasted, player_record, season, union
from server.web.entries import page as entering
from server.web.frame import answered_forms, assets, installing, own_source
from server.web.frame import event_stream as events
from server.web.frame.context import CORE
from server.web.frame.form_faults import stands_on
from server.web.frame.forms import FILES
from server.web.frame.middleware import add_headers, frame
from server.web.frame.throttle import Throttle
from server.web.groups import bulletin_desk, bulletins, long_games, tie_desk, titles, tournament
from server.web.groups import desk as groupdesk
from server.web.groups import page as grouppage
from server.web.groups import published as results
from server.web.help import pages as help
from server.web.league import captain_desk, season_plans, team_desk, team_entry
from server.web.league import desk as leaguedesk
from server.web.league import pages as league
from server.web.play import (
    confirm_link,
    delayed_move,
    diagrams,
    draws_and_claims,
    game_page,
    game_paper,
    leaving_group,
    my_games,
    objecting,
    opening_panel,
    own_side_page,
    send_move,
    statement,
    unreached,
)
from server.web.postal import by_email as postal
from server.web.postal import cards, cards_desk
from server.web.rating import desk as rating_desk
from server.web.rating import pages as ratings
from server.web.reflection import leave, special_leave
from server.web.reflection import long_think as thinking
from server.web.register import files, join_desk, joining, members, own_address, players_and_clubs
from server.web.sharing import embed, feed, searched

GAME = r"/games/{game:\d{1,18}}"
CASE = r"/desk/cases/{year:\d{4}}/{n:\d{1,9}}"
TEAM = r"/captain/{team:\d{1,18}}"
TEAM_ENTRY = r"/team-entry/{entry:\d{1,18}}"
DIVISION = "/desk/league/{name:.+}"
CUP = r"/desk/cups/{cup:\d{1,18}}"
PLAN = r"/desk/league-plans/{plan:\d{1,18}}"

ROUTES = (
    web.get("/", my_games.front),
    web.get("/games", my_games.all_mine),
    web.get("/next", my_games.go_on),
    web.get("/signin", sign_in.ask_page),
    web.post("/signin", sign_in.ask),
    web.get("/login/{token}", sign_in.link_page),
    web.post("/login/{token}", sign_in.use_link),
    web.post("/signout", sign_in.sign_out),
    web.post("/language", preferences.choose_language),
    web.get("/about", preferences.about),
    web.get(own_source.PATH, own_source.give),
    *routes.ROUTES,
    *joining.ROUTES,
    *join_desk.ROUTES,
    *outages.ROUTES,
    web.get("/help", help.index),
    web.get("/help/first", help.first),
    web.get("/help/play", help.play),
    web.get("/help/mail", help.mail),
    web.get("/help/rules", help.rules),
    web.get("/help/notation", help.notation),
    web.get("/help/officials", help.officials),
    web.get("/help/readings", help.readings),
    web.get("/settings", own_address.show),
    web.post("/settings", own_address.do),
    web.get("/events", events.listen, allow_head=False),
    *installing.ROUTES,
    *notifying.ROUTES,
    *settings.ROUTES,
    web.get(GAME, game_page.show),
    web.get(f"{GAME}.pgn", diagrams.game_pgn),
    web.get(f"{GAME}/paper", game_paper.show),
    web.get(f"{GAME}/paper.pdf", game_paper.as_file),
    web.post(f"{GAME}/paper", game_paper.say),
    web.get(f"{GAME}/board.png", diagrams.game_picture),
    web.get(f"{GAME}/{{step:preview|change|move|hold|delayed}}", game_page.back),
    web.post(f"{GAME}/preview", send_move.show_preview),
    web.post(f"{GAME}/change", send_move.change),
    web.post(f"{GAME}/move", send_move.send),
    web.post(f"{GAME}/hold", delayed_move.hold),
    web.post(f"{GAME}/delayed", delayed_move.do),
    web.get(f"{GAME}/private", own_side_page.show),
    web.get(f"{GAME}/openings", opening_panel.show),
    web.get(f"{GAME}/analysis.pgn", own_side_page.tree_pgn),
    web.post(f"{GAME}/tree", own_side_page.tree),
    web.post(f"{GAME}/note", own_side_page.note),
    web.post(f"{GAME}/thread", own_side_page.thread),
    web.get(f"{GAME}/end/{{kind}}", draws_and_claims.question),
    web.post(f"{GAME}/end/{{kind}}", draws_and_claims.do),
    web.post(f"{GAME}/unreached", unreached.stop),
    web.get(f"{GAME}/object", objecting.question),
    web.post(f"{GAME}/object", objecting.do),
    *leaving_group.ROUTES,
    web.get(f"{GAME}/case.zip", file.show),
    web.get("/pgn/{name:.+}.pgn", file.group),
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
    web.get("/groups/{name:.+}/atom.xml", feed.of_group),
    web.get(r"/embed/{kind:games|archive}/{game:\d{1,18}}", embed.show),
    web.get("/oembed", embed.described),
    web.get("/robots.txt", searched.robots),
    web.get("/sitemap.xml", searched.sitemap),
    web.get("/groups/{name:.+}", grouppage.show),
    web.get("/tournaments/{name:.+}", tournament.show),
    web.get("/bulletins", bulletins.listed),
    web.post("/bulletins", bulletins.want),
    web.get(r"/bulletins/{number:\d{1,9}}", bulletins.show),
    web.get(r"/bulletins/{number:\d{1,9}}.pdf", bulletins.as_file),
    web.get("/desk/bulletin", bulletin_desk.show),
    web.post("/desk/bulletin", bulletin_desk.do),
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
    web.get("/captain", captain_desk.show),
    web.post(f"{TEAM}/reserve", captain_desk.reserve),
    web.post(f"{TEAM}/report", captain_desk.report),
    web.post(r"/captain/pauses/{reserve:\d{1,18}}/end", captain_desk.end_pause),
    web.get("/team-entry", team_entry.show),
    web.post("/team-entry", team_entry.do),
    web.post(rf"{TEAM_ENTRY}/lineup", team_entry.change),
    web.post(rf"{TEAM_ENTRY}/withdraw", team_entry.withdraw),
    web.get("/desk/team-entries", team_desk.show),
    team_desk.FEES.route,
    web.post("/desk/team-entries/districts", team_desk.make_team),
    web.post("/desk/team-entries/admins", team_desk.admins),
    web.post(
        r"/desk/team-entries/{entry:\d{1,18}}/{deed:fee|leave|refuse|withdraw}", team_desk.deed
    ),
    web.get("/desk/league", leaguedesk.overview),
    web.get("/desk/league-plans", season_plans.show),
    web.post("/desk/league-plans", season_plans.do),
    web.get(PLAN, season_plans.shown),
    web.post(f"{PLAN}/grant", season_plans.grant),
    web.post(f"{PLAN}/start", season_plans.start),
    web.post("/desk/league-plans/entered", season_plans.of_entries),
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
    web.get("/players", players_and_clubs.players),
    web.get(r"/players/{person:\d{1,18}}", players_and_clubs.player),
    web.get("/clubs", players_and_clubs.clubs),
    web.get(r"/clubs/{club:\d{1,18}}", players_and_clubs.club),
    web.get("/leave", leave.show),
    web.post("/leave", leave.ask),
    web.get("/enter", entering.show),
    web.post("/enter", entering.do),
    web.post(r"/enter/{entry:\d{1,18}}/withdraw", entering.withdraw),
    web.get("/desk", overview.leader),
    overview.SILENCES.route,
    overview.PRIZES.route,
    overview.CARDS.route,
    web.get("/desk/entries", entrydesk.show),
    web.post("/desk/entries", entrydesk.enter_player),
    entrydesk.FEES.route,
    web.post("/desk/entries/lists", entrydesk.add_list),
    web.post(r"/desk/entries/lists/{list:\d{1,18}}", entrydesk.change),
    web.post(r"/desk/entries/lists/{list:\d{1,18}}/correct", entrydesk.correct),
    web.get(r"/desk/entries/{entry:\d{1,18}}", entry_desk.show),
    web.post(r"/desk/entries/{entry:\d{1,18}}/{deed}", entry_desk.do),
    web.get("/desk/players", player_record.look),
    web.get(r"/desk/players/{person:\d{1,18}}", player_record.show),
    web.post(r"/desk/players/{person:\d{1,18}}", player_record.add),
    web.post(r"/desk/players/{person:\d{1,18}}/remove", player_record.remove),
    web.get("/desk/kc", overview.controller),
    web.post("/desk/kc/offices", overview.appoint),
    web.post(r"/desk/kc/offices/{office:\d{1,18}}", overview.dismiss),
    web.get("/desk/kc/year", year.show),
    web.post("/desk/kc/year", year.change),
    web.get("/desk/kc/season", season.show),
    web.post("/desk/kc/season", season.do),
    web.post("/desk/kc/union", union.keep),
    web.get("/desk/kc/pasted", pasted.show),
    web.post("/desk/kc/pasted", pasted.take),
    web.get("/desk/kc/economy", books.show),
    web.post("/desk/kc/economy", books.enter),
    books.PRIZES.route,
    web.get("/desk/kc/economy.csv", books.export),
    web.get(r"/desk/kc/economy/year/{year:\d{4}}", books.year_of),
    web.post("/desk/kc/economy/import", books.take_file),
    web.post(r"/desk/kc/economy/{entry:\d{1,18}}", books.take_back),
    web.post(r"/desk/kc/economy/prizes/{publication:\d{1,18}}", books.send_prizes),
    web.get("/desk/board", overview.board),
    *cards_desk.ROUTES,
    web.get("/desk/long", long_games.show),
    long_games.CALL_IN.route,
    web.get("/desk/groups/{name:.+}", groupdesk.show),
    web.post("/desk/groups/{name:.+}/letter", groupdesk.write_to_all),
    web.post("/desk/groups/{name:.+}/withdraw", groupdesk.withdraw),
    web.post("/desk/groups/{name:.+}/annul", groupdesk.annul),
    web.post("/desk/groups/{name:.+}/live", groupdesk.follow),
    web.post("/desk/groups/{name:.+}/playoff", stands_on(groupdesk.show)(tie_desk.playoff)),
    web.post("/desk/groups/{name:.+}/shared-title", stands_on(groupdesk.show)(tie_desk.share)),
    web.get("/desk/members", members.listed),
    web.get("/desk/members/clubs", members.clubs),
    web.get("/desk/members/new", members.new),
    web.post("/desk/members/new", members.add),
    web.get(FILES, files.show),
    web.post(FILES, files.take),
    web.get("/desk/members/{what:members|clubs|ratings}.csv", files.give),
    web.get(r"/desk/members/{person:\d{1,18}}", members.show),
    web.post(r"/desk/members/{person:\d{1,18}}", members.change),
    web.post(r"/desk/members/{person:\d{1,18}}/ratings/remove", members.remove),
    web.get(CASE, casepage.show),
    web.get(rf"{CASE}/mails/{{mail:\d{{1,18}}}}", casepage.mail),
    web.get(rf"{CASE}/papers/{{paper:\d{{1,18}}}}", casepage.paper),
    web.post(f"{CASE}/decide", deciding.decide),
    web.post(f"{CASE}/edit", deciding.edit),
    web.post(f"{CASE}/rule", leavingdeed.rule),
    web.post(f"{CASE}/{{deed}}", deeds.do),
    web.post("/leave/shorten", leave.make_shorter),
    web.post("/leave/feed", leave.feed),
    web.get("/calendar/{key:[A-Za-z0-9_-]{1,80}}.ics", leave.calendar),
    web.get("/desk/leave", special_leave.show),
    web.post("/desk/leave", special_leave.do),
    web.get("/desk/mail", mail_desk.show),
    mail_desk.PUT_AWAY.route,
    web.post(r"/desk/mail/{row:\d{1,18}}", mail_desk.do),
    web.get("/mailbox", mailbox.show),
    web.get(r"/mailbox/{mail:\d{1,18}}", mailbox.read),
    web.get(r"/mailbox/{mail:\d{1,18}}/raw", mailbox.raw),
    web.get("/c/{token}", confirm_link.question),
    web.post("/c/{token}", confirm_link.answer),
    web.get("/think/{key:[a-z2-7]{1,80}}", thinking.question),
    web.post("/think/{key:[a-z2-7]{1,80}}", thinking.give),
    web.get("/static/{digest:[0-9a-f]{12}}/{name:.+}", assets.serve),
)


def setup(app: web.Application, core: Core, hub: Hub | None = None) -> None:
    """Add the pages to an app, with the headers and checks around them.

    ``hub`` notifies open pages of changes; without one they are not notified.
    """
    app[CORE] = core
    app[events.HUB] = hub or Hub()
    app.on_shutdown.append(events.end_streams)
    app[sign_in.THROTTLE] = Throttle()
    app[answered_forms.STRANGERS] = Throttle(answered_forms.MOST_OF_STRANGER)
    app[joining.THROTTLE] = Throttle(joining.MOST)
    app.middlewares.append(frame)
    app.on_response_prepare.append(add_headers)
    app.add_routes(ROUTES)
