/// The words of a language in which facts are told in one form and asked for in another.
struct FactLanguage: Sendable {
  var name: String
  /// What people talk of: as it is told, as it is asked for.
  var things: [(told: String, asked: String)]
  /// What happens to it: as it is told, as it is asked for.
  var deeds: [(told: String, asked: String)]
  /// The lines of a fact: `1`, `2` for things, `3` for a deed, `4` for a name. The last one has what was asked for.
  var tellings: [[String]]
  /// Questions for a fact.
  var questions: [String]
  /// What else is said, with things and deeds of no fact.
  var chatter: [String]
  /// The word before a month, and the months.
  var months: (before: String, names: [String])

  static let names = [
    "Ann", "Bob", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Katja", "Luis",
    "Mira", "Nadia",
    "Oskar", "Petra",
  ]

  static let all = [english, german, french]

  private static func pairs(_ text: String) -> [(told: String, asked: String)] {
    text.split(separator: " ").map { pair in
      let words = pair.split(separator: "/").map(String.init)
      return (words[0], words[words.count - 1])
    }
  }

  static let english = FactLanguage(
    name: "english",
    things: pairs(
      """
      boiler/boilers plumber/plumbers battery/batteries ticket/tickets garden/gardens bicycle/bicycles kitchen/kitchens \
      invoice/invoices ladder/ladders carpet/carpets mattress/mattresses dentist/dentists recipe/recipes ferry/ferries \
      window/windows printer/printers violin/violins passport/passports landlord/landlords neighbour/neighbours \
      meeting/meetings server/servers contract/contracts balcony/balconies chimney/chimneys cellar/cellars lawyer/lawyers \
      engine/engines curtain/curtains puppy/puppies wedding/weddings concert/concerts bakery/bakeries exam/exams \
      library/libraries camera/cameras tent/tents bridge/bridges piano/pianos museum/museums sofa/sofas vaccine/vaccines \
      harvest/harvests festival/festivals
      """),
    deeds: pairs(
      """
      repaired/repair painted/paint borrowed/borrow cancelled/cancel delivered/deliver ordered/order cleaned/clean \
      insured/insure measured/measure rented/rent booked/book tested/test moved/move planned/plan replaced/replace \
      noticed/notice promised/promise recommended/recommend arranged/arrange postponed/postpone
      """),
    tellings: [
      [
        "the 1 is making trouble again", "really? since when",
        "4 has a 2 who 3 ours last year, call on tuesday",
      ],
      ["any news on the 1?", "4 said it will be 3 next week", "good, then the 2 can wait until then"],
      ["I was at the 2 this morning", "and?", "they 3 the 1 for free, thanks to 4"],
      ["does anybody remember the 2", "of course", "4 3 it together with the 1 and it cost ninety"],
    ],
    questions: [
      "what did we say about the 1, and which 2 could 3 it", "who was it with the 2 when they had to 3 the 1",
      "did 4 ever 3 something with 1 or the 2", "how much was it to 3 the 1 and the 2 back then",
    ],
    chatter: [
      "ok", "haha yes", "see you later", "good morning all", "I am late again", "what a day",
      "has anybody seen the 1",
      "the 1 is nice", "no idea", "thanks!", "we 3 everything already", "lunch?", "4 will know",
      "that was the 1 of my brother",
      "so many 2 these days, all the same", "they 3 it and nobody said a word", "call me when you are there",
    ],
    months: (
      "in",
      "January February March April May June July August September October November December".split(
        separator: " "
      ).map(String.init)
    ))

  static let german = FactLanguage(
    name: "german",
    things: pairs(
      """
      Heizung/Heizungen Wohnung/Wohnungen Rechnung/Rechnungen Lampe/Lampen Treppe/Treppen Garten/Gartens Küche/Küchen \
      Versicherung/Versicherungen Sitzung/Sitzungen Leitung/Leitungen Matratze/Matratzen Karte/Karten Reise/Reisen Brücke/Brücken \
      Maschine/Maschinen Kamera/Kameras Prüfung/Prüfungen Hochzeit/Hochzeiten Werkstatt/Werkstatt Schule/Schulen Kiste/Kisten \
      Tasche/Taschen Zeitung/Zeitungen Straße/Straßen Pflanze/Pflanzen Bestellung/Bestellungen Lieferung/Lieferungen \
      Erlaubnis/Erlaubnis Bäckerei/Bäckereien Bücherei/Büchereien
      """),
    deeds: pairs(
      """
      repariert/reparieren gekauft/gekaufte bestellt/bestellten verschoben/verschobene geliefert/gelieferte gebucht/gebuchten \
      gemietet/gemietete geplant/geplante getestet/getestete gewechselt/gewechselte gestrichen/gestrichene abgesagt/abgesagte
      """),
    tellings: [
      [
        "die 1 macht wieder Ärger", "echt? seit wann",
        "4 kennt jemanden mit 2, der hat unsere 3, ruf am Dienstag an",
      ],
      ["gibt es Neues zur 1?", "4 sagt, sie wird nächste Woche 3", "gut, dann wartet die 2 so lange"],
      ["ich war heute früh wegen der 2 dort", "und?", "die 1 wurde umsonst 3, dank 4"],
    ],
    questions: [
      "was haben wir über die 1 gesagt, und wer konnte die 2 3", "wann war das mit der 2 und den 3 1",
      "hat 4 irgendwann etwas mit 1 oder der 2 3",
    ],
    chatter: [
      "ok", "haha ja", "bis später", "guten Morgen", "ich komme wieder zu spät", "was für ein Tag",
      "hat jemand die 1 gesehen",
      "die 1 ist schön", "keine Ahnung", "danke!", "alles schon 3", "Mittag?", "4 weiß das",
      "so viele 2, alle gleich",
    ],
    months: (
      "im",
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(
        separator: " "
      ).map(String.init)
    ))

  static let french = FactLanguage(
    name: "french",
    things: pairs(
      """
      chaudière/chaudières maison/maisons facture/factures lampe/lampes voiture/voitures jardin/jardins cuisine/cuisines \
      réunion/réunions machine/machines batterie/batteries billet/billets voyage/voyages pont/ponts caméra/caméras examen/examens \
      mariage/mariages atelier/ateliers école/écoles caisse/caisses plante/plantes commande/commandes livraison/livraisons \
      permis/permis boulangerie/boulangeries fenêtre/fenêtres échelle/échelles tapis/tapis matelas/matelas dentiste/dentistes \
      recette/recettes
      """),
    deeds: pairs(
      """
      réparé/réparer acheté/acheter commandé/commander reporté/reporter livré/livrer réservé/réserver loué/louer préparé/préparer \
      testé/tester changé/changer annulé/annuler nettoyé/nettoyer
      """),
    tellings: [
      [
        "la 1 fait encore des siennes", "ah bon? depuis quand",
        "4 connait quelqu'un pour la 2 qui a 3 la notre, appelle mardi",
      ],
      ["des nouvelles de la 1?", "4 dit que ce sera 3 la semaine prochaine", "bien, la 2 attendra"],
      ["je suis passé pour la 2 ce matin", "et alors?", "ils ont 3 la 1 gratuitement, merci 4"],
    ],
    questions: [
      "qu'est-ce que nous avons dit de la 1, et qui pouvait 3 la 2",
      "quand est-ce que 4 voulait 3 les 1 avec la 2",
      "combien pour 3 les 1 et les 2",
    ],
    chatter: [
      "ok", "haha oui", "à plus tard", "bonjour à tous", "je suis encore en retard", "quelle journée",
      "quelqu'un a vu la 1",
      "la 1 est jolie", "aucune idée", "merci!", "tout est déjà 3", "on mange?", "4 saura",
      "tant de 2, toutes pareilles",
    ],
    months: (
      "en",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(
        separator: " "
      ).map(String.init)
    ))
}
