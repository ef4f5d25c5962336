import Testing

@testable import WordForms

@Suite struct StemTests {
  @Test(arguments: [
    "caresses": "caress", "ponies": "poni", "cats": "cat", "agreed": "agre", "plastered": "plaster",
    "motoring": "motor", "conflated": "conflat", "hopping": "hop", "filing": "file", "happy": "happi",
    "sky": "sky",
    "relational": "relat", "conditional": "condit", "digitizer": "digit", "vietnamization": "vietnam",
    "operator": "oper", "feudalism": "feudal", "triplicate": "triplic", "hopeful": "hope", "goodness": "good",
    "revival": "reviv", "adjustment": "adjust", "adoption": "adopt", "probate": "probat", "rate": "rate",
    "controll": "control", "roll": "roll", "be": "be",
  ])
  func `Porter's stems are those of his paper`(word: String, stem: String) {
    #expect(PorterStemmer.stem(word) == stem)
  }

  @Test func `A word that is not of small letters of ASCII is its own stem for Porter`() {
    for word in ["", "Ünder", "c3po", "größer"] { #expect(PorterStemmer.stem(word) == word) }
  }

  @Test(arguments: WordLanguage.allCases)
  func `Forms of a word share a stem in each language`(language: WordLanguage) {
    let forms: (String, String) =
      switch language {
      case .english: ("battery", "batteries")
      case .german: ("wohnung", "wohnungen")
      case .french: ("chaudiere", "chaudieres")
      case .spanish: ("reunion", "reuniones")
      case .italian: ("caldaia", "caldaie")
      case .portuguese: ("reuniao", "reuniaos")
      case .dutch: ("vergadering", "vergaderingen")
      case .swedish: ("lagenhet", "lagenheten")
      case .russian: ("книга", "книги")
      }
    let stemmer = Stemmer(language)
    guard Stemmer.languages.contains(language) else {
      #expect(stemmer.stem(forms.1) == forms.1)
      return
    }
    #expect(stemmer.stem(forms.0) == stemmer.stem(forms.1))
  }

  @Test func `The language is that of the commonest words of a question`() {
    func language(_ text: String) -> WordLanguage { .told(by: text.split(separator: " ").map(String.init)) }
    #expect(language("what did they decide about the boiler") == .english)
    #expect(language("was haben sie uber die heizung gesagt") == .german)
    #expect(language("quand est ce que nous avons parle de la chaudiere") == .french)
    #expect(language("cuando hablamos de la caldera con los vecinos") == .spanish)
    #expect(language("когда мы говорили про отопление") == .russian)
    #expect(language("boiler plumber") == .english)
  }

  @Test func `Each irregular form leads to all forms of its word`() throws {
    #expect(try #require(IrregularForms.forms(of: "went")).contains("go"))
    #expect(try #require(IrregularForms.forms(of: "child")).contains("children"))
    #expect(IrregularForms.forms(of: "boiler") == nil)
  }
}
