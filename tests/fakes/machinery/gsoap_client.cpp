// What gSOAP's tools make of the server's WSDL, called by hand: GetMyGames prints each game's
// fields, MakeAMove the outcome. Arguments: endpoint, user, key, and of a move game, number, text.
#include "XfccBasicSoap.nsmap"
#include "soapXfccBasicSoapProxy.h"
#include <cstdlib>
#include <iostream>

static int list(XfccBasicSoapProxy &server, std::string user, std::string key) {
    _ns1__GetMyGames asked;
    _ns1__GetMyGamesResponse said;
    asked.username = &user, asked.password = &key;
    if (server.GetMyGames(&asked, said)) return 1;
    for (ns1__XfccGame *game : said.GetMyGamesResult->XfccGame)
        std::cout << "id\t" << game->id << "\nwhite\t" << *game->white << "\nmyTurn\t"
                  << game->myTurn << "\nresult\t" << soap_ns1__Result2s(server.soap, game->result)
                  << "\nserverInfo\t" << *game->serverInfo << "\n\n";
    return 0;
}

static int move(XfccBasicSoapProxy &server, std::string user, std::string key, char **asked) {
    _ns1__MakeAMove wish;
    _ns1__MakeAMoveResponse said;
    std::string text = asked[2];
    wish.username = &user, wish.password = &key, wish.gameId = std::atoi(asked[0]);
    wish.movecount = std::atoi(asked[1]), wish.myMove = &text;
    wish.resign = wish.acceptDraw = wish.offerDraw = wish.claimDraw = false;
    if (server.MakeAMove(&wish, said)) return 1;
    std::cout << soap_ns1__MakeAMoveResult2s(server.soap, said.MakeAMoveResult) << "\n";
    return 0;
}

int main(int count, char **words) {
    XfccBasicSoapProxy server(words[1], SOAP_C_UTFSTRING);
    int failed = count == 4 ? list(server, words[2], words[3])
                            : move(server, words[2], words[3], words + 4);
    if (failed) server.soap_stream_fault(std::cerr);
    return failed;
}
