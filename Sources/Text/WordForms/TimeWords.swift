/// The words by which questions name times, in a language; all lowercase.
package struct TimeWords: Sendable {
  /// A field of the table, in its order.
  package enum Field: Int, CaseIterable, Sendable {
    case spring, summer, autumn, winter, last, this, ago, before, after, when
    case day, week, month, year, yesterday, christmas, easter
    /// What only dates have: days of the week, today.
    case dates
  }

  private let fields: [[String]]

  package subscript(field: Field) -> [String] { fields[field.rawValue] }

  /// The words for one to six, each with its forms.
  package let numbers: [[String]]

  package static func of(_ language: WordLanguage) -> TimeWords { TimeWords(text(of: language)) }

  private init(_ text: (fields: String, numbers: String)) {
    fields = text.fields.split(separator: "|").map {
      $0.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    numbers = text.numbers.split(separator: " ").map { $0.split(separator: "/").map(String.init) }
  }

  // Words of several meanings (Swedish `var`) are left out.
  private static func text(of language: WordLanguage) -> (fields: String, numbers: String) {
    switch language {
    case .english:
      (
        """
        spring | summer | autumn fall | winter | last past previous | this | ago | before until | after \
        since | when | day days | week weeks | month months | year years | yesterday | christmas xmas | \
        easter | today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday weekend \
        next
        """, "one/a/an two/couple three four five six"
      )
    case .german:
      (
        """
        frühling frühjahr | sommer | herbst | winter | letzte letzten letzter letztes letztem vorige \
        vorigen voriges vergangenen vergangenes | diese diesen dieser dieses diesem | vor | vor bis | \
        nach seit | wann | tag tage tagen | woche wochen | monat monate monaten | jahr jahre jahren | \
        gestern | weihnachten | ostern | heute morgen übermorgen montag dienstag mittwoch donnerstag \
        freitag samstag sonntag wochenende nächste nächsten
        """, "ein/eine/einem/einer zwei drei vier fünf sechs"
      )
    case .french:
      (
        """
        printemps | été | automne | hiver | dernier dernière passé passée | ce cet cette | a | avant | \
        après depuis | quand | jour jours | semaine semaines | mois | an ans année années | hier | noël \
        | pâques | aujourd demain lundi mardi mercredi jeudi vendredi samedi dimanche prochain prochaine
        """, "un/une deux trois quatre cinq six"
      )
    case .spanish:
      (
        """
        primavera | verano | otoño | invierno | pasado pasada último última | este esta | hace | antes | \
        después desde tras | cuándo cuando | día días | semana semanas | mes meses | año años | ayer | \
        navidad navidades | pascua | hoy mañana lunes martes miércoles jueves viernes sábado domingo \
        próximo próxima
        """, "un/una dos tres cuatro cinco seis"
      )
    case .italian:
      (
        """
        primavera | estate | autunno | inverno | scorso scorsa passato passata | questo questa quest | \
        fa | prima | dopo | quando | giorno giorni | settimana settimane | mese mesi | anno anni | ieri \
        | natale | pasqua | oggi domani lunedì martedì mercoledì giovedì venerdì sabato domenica \
        prossimo prossima
        """, "un/una due tre quattro cinque sei"
      )
    case .portuguese:
      (
        """
        primavera | verão | outono | inverno | passado passada último última | este esta neste nesta | \
        atrás há | antes | depois após desde | quando | dia dias | semana semanas | mês meses | ano anos \
        | ontem | natal | páscoa | hoje amanhã segunda terça quarta quinta sexta sábado domingo próximo \
        próxima
        """, "um/uma dois/duas três quatro cinco seis"
      )
    case .dutch:
      (
        """
        lente voorjaar | zomer | herfst najaar | winter | vorig vorige afgelopen | deze dit | geleden | \
        voor | na sinds | wanneer | dag dagen | week weken | maand maanden | jaar jaren | gisteren | \
        kerst kerstmis | pasen | vandaag morgen maandag dinsdag woensdag donderdag vrijdag zaterdag \
        zondag weekend volgende
        """, "een twee drie vier vijf zes"
      )
    case .swedish:
      (
        """
        våren våras | sommaren somras | hösten höstas | vintern vintras | förra | denna detta | sedan | \
        före innan | efter | när | dag dagar | vecka veckor veckan | månad månader månaden | år året | \
        igår | jul julen | påsk påsken | idag imorgon måndag tisdag onsdag torsdag fredag lördag söndag \
        nästa
        """, "en/ett två tre fyra fem sex"
      )
    case .russian:
      (
        """
        весна весной весны весну | лето летом лета | осень осенью осени | зима зимой зимы зиму | прошлый \
        прошлой прошлом прошлого прошлую прошлым прошлая прошлое | этот этой этом эту этого | назад | до \
        перед | после | когда | день дня дней | неделя неделю недели недель неделе | месяц месяца \
        месяцев месяце | год года году лет | вчера | рождество рождества рождеством | пасха пасхи пасху \
        пасхой | сегодня завтра понедельник вторник среду четверг пятницу субботу воскресенье
        """, "один/одну два/две три четыре пять шесть"
      )
    }
  }
}
