/// A language whose word forms are known.
public enum WordLanguage: String, CaseIterable, Codable, Hashable, Sendable {
  /// English.
  case english
  /// German.
  case german
  /// French.
  case french
  /// Spanish.
  case spanish
  /// Italian.
  case italian
  /// Portuguese.
  case portuguese
  /// Dutch.
  case dutch
  /// Swedish.
  case swedish
  /// Russian.
  case russian

  /// The languages that this build can stem: all with Snowball's library, otherwise English.
  public static var known: [WordLanguage] { Stemmer.languages }

  /// The language of some words, by their most common words; English if none is common.
  ///
  /// - Parameter words: Lowercase words without accents, as in a search index.
  package static func told(by words: [String]) -> WordLanguage { toldByCommonWords(among: words) ?? .english }

  /// `nil` if none of the words is common in any language.
  package static func toldByCommonWords(among words: [String]) -> WordLanguage? {
    var best = (language: WordLanguage.english, count: 0)
    for language in allCases {
      let common = CommonWords.of(language)
      let count = words.count { common.contains($0) }
      if count > best.count { best = (language, count) }
    }
    return best.count > 0 ? best.language : nil
  }
}

/// Names of months in questions.
package enum MonthWords {
  /// The twelve months in a language, each with its forms.
  package static func of(_ language: WordLanguage) -> [[String]] {
    text(of: language).split(separator: " ").map { $0.split(separator: "/").map(String.init) }
  }

  /// Whether a name is also an ordinary word, so that its capital or context must show the month.
  package static func isOtherWord(_ name: String, in language: WordLanguage) -> Bool {
    language == .english && ["march", "may"].contains(name)
  }

  private static func text(of language: WordLanguage) -> String {
    switch language {
    case .english: "january february march april may june july august september october november december"
    case .german:
      "januar/jänner februar märz april mai juni juli august september oktober november dezember"
    case .french: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
    case .spanish:
      "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre"
    case .italian:
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
    case .portuguese:
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
    case .dutch: "januari februari maart april mei juni juli augustus september oktober november december"
    case .swedish: "januari februari mars april maj juni juli augusti september oktober november december"
    case .russian:
      """
      январь/января/январе февраль/февраля/феврале март/марта/марте апрель/апреля/апреле май/мая/мае июнь/июня/июне \
      июль/июля/июле август/августа/августе сентябрь/сентября/сентябре октябрь/октября/октябре ноябрь/ноября/ноябре \
      декабрь/декабря/декабре
      """
    }
  }
}

/// Words too frequent to help a search.
///
/// They are normalised like a search index: lowercase, without accents, split at apostrophes.
package enum CommonWords {
  /// The common words of a language.
  package static func of(_ language: WordLanguage) -> Set<String> { all[language] ?? [] }

  private static let all: [WordLanguage: Set<String>] = Dictionary(
    uniqueKeysWithValues: WordLanguage.allCases.map { language in
      (language, Set(text(of: language).split(whereSeparator: \.isWhitespace).map(String.init)))
    })

  private static func text(of language: WordLanguage) -> String {
    switch language {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    case .italian: italian
    case .portuguese: portuguese
    case .dutch: dutch
    case .swedish: swedish
    case .russian: russian
    }
  }

  private static let english = """
    a about above after again against ain all also am an and any are aren as at be because been before being below between both \
    but by can cannot could couldn d did didn do does doesn doing don down during each else ever few for from further get gets \
    got had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just \
    let ll m may me might more most much must my myself no nor not now of off on once only or other ought our ours ourselves out \
    over own please re s same shall she should shouldn so some such t than that the their theirs them themselves then there these \
    they this those through to too under until up upon us ve very was wasn we were weren what when where which while who whom \
    whose why will with won would wouldn y yes you your yours yourself yourselves
    """

  private static let german = """
    aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim bin bis \
    bist da damit dann das dass dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser \
    dieses dir doch dort du durch ein eine einem einen einer eines einig einige er es etwas euch euer eure fur gab gegen gewesen \
    habe haben hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem \
    jeden jeder jedes jene jetzt kann kannst kein keine keinem keinen keiner konnen konnte konnten man manche mein meine meinem \
    meinen meiner mich mir mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit \
    selbst sich sie sind so soll sollte sondern sonst uber um und uns unser unsere unter viel vom von vor wann war waren warst \
    warum was weil welche welchem welchen welcher welches wenn wer wem wen werde werden wie wieder wieso will wir wird wirst wo \
    wohin wollen wollte wurde wurden zu zum zur zwischen
    """

  private static let french = """
    a ai aie as au aurait aux avait avec avez avoir avons c ce ceci cela celle ces cet cette ceux chez comme comment d dans de des \
    du elle elles en es est et etaient etait ete etes etre eu eut fait faire fut il ils j je l la laquelle le lequel les leur leurs \
    lui m ma mais me meme mes moi mon n ne nos notre nous on ont ou par pas plus pour pourquoi qu quand que quel quelle quelles \
    quels qui quoi s sa sans se sera serait ses si son sont sur t ta te tes toi ton tu un une vos votre vous y
    """

  private static let spanish = """
    a al algo algun alguna algunas alguno algunos ante antes aquel aquella como con contra cual cuales cuando cuanto de del desde \
    donde durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estaban estado estan estar estas \
    este esto estos estoy fue fueron fui ha habia habian haber hace han hasta hay he hemos la las le les lo los mas me mi mis mucho \
    muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por porque que quien quienes se sea ser si sido sin \
    sobre son soy su sus tambien te tenia tengo tiene tienen todo todos tu tus un una unas uno unos vosotros y ya yo
    """

  private static let italian = """
    a abbiamo ad agli ai al alla alle allo anche avere aveva avevano c che chi ci come con contro cosa cui d da dagli dai dal dalla \
    dalle dallo degli dei del della delle dello di dove e ed era erano essere fa fatto fu furono gli ha hanno ho i il in io l la le \
    lei li lo loro lui ma me mi mia mie miei mio ne negli nei nel nella nelle nello noi non nostra nostro o per perche piu quale \
    quali quando quanta quanto quella quelle quelli quello questa queste questi questo se sei si sia sono sta stata stato su sua \
    sue sugli sui sul sulla sulle sullo suo suoi ti tra tu tua tuo un una uno vi voi
    """

  private static let portuguese = """
    a ao aos aquela aquele aquilo as ate com como da das de dela dele deles depois do dos e ela elas ele eles em entre era eram essa \
    esse esta estao estar estava estavam este estou eu foi foram ha havia isso isto ja lhe mais mas me mesmo meu minha muito na nao \
    nas nem no nos nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque qual quais quando quanto que quem se sem \
    ser seu seus so sobre sua suas tambem te tem tenho ter teve tinha tu tua um uma voce voces
    """

  private static let dutch = """
    aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen geweest haar had \
    hadden heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jou jullie kan kon konden kunnen maar me meer \
    men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel \
    voor waar waarom wanneer want waren was wat we wel welke werd wie wij wil worden wordt wordt zal ze zei zelf zich zij zijn zo \
    zonder zou
    """

  private static let swedish = """
    alla allt att av bara blev bli blir da dar de dem den denna deras dess dessa det detta dig din dina du efter ej eller en er era \
    ett for fran ha hade han hans har hennes hon honom hur i icke in inte ja jag kan kunde man med mellan men mig min mina mot \
    mycket na nar nagon nagot nagra ni nu och om oss pa sa samma sedan sig sin sina sitta sjalv skulle som till under upp ut utan \
    vad var vara varfor varit vars vart vem vems vi vid vilka vilken vilket vill
    """

  private static let russian = """
    а без более бы был была были было быть в вам вас ваш весь во вот все всего всех вы где да даже для до его ее еи ей если есть \
    еще ещё же за здесь и из или им их к как какая какие какои какой когда кто куда ли между меня мне много мои мой мы на над надо \
    нас наш не него нее ней нет ни них но ну о об он она они оно от по под почему при про с сам себя со так такой там тебя тем то \
    тогда того тоже только том ты у уже чего чем что чтобы чьи эта эти это этого этот я
    """
}
