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
