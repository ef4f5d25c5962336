import MessageModel
import Testing

/// Names by letters in order.
struct FuzzyNameTests {
  private func found(_ typed: String, _ names: [String]) -> [String] {
    FuzzyName(typed).places(among: names).map { names[$0] }
  }

  @Test(
    arguments: [
      ("per6", ["paper 16", "perl6", "perl5-6", "raku"], ["perl6", "perl5-6", "paper 16"]),
      (
        "fb", ["foo-xx-bar-b", "fabulous", "foo bar", "foobar", "fb", "fooBar", "xfb"],
        ["fb", "foo bar", "fooBar", "foo-xx-bar-b", "fabulous", "foobar", "xfb"]
      ),
      (
        "ann", ["channel", "Ann", "Anna", "planning", "annals"],
        ["Ann", "Anna", "annals", "channel", "planning"]
      ),
    ])
  func `names are ranked by beginnings of words, neighbouring letters and length, as fzf ranks them`(
    typed: String, names: [String], expected: [String]
  ) {
    #expect(found(typed, names) == expected)
  }

  @Test func `words are found in any order, letters in any case and any script`() {
    #expect(found("talk gen", ["general talk", "talk"]) == ["general talk"])
    #expect(found("RÄU", ["Räuber", "graeu"]) == ["Räuber"])
    #expect(found("GARDEN", ["The Garden"]) == ["The Garden"])
    #expect(found("%", ["100%", "100"]) == ["100%"])
  }

  @Test(
    arguments: [
      ("'log", ["keepers-log", "big loge", "lo g"], ["big loge", "keepers-log"]),
      ("^log", ["logs", "blog"], ["logs"]),
      ("log$", ["blog", "logs", "LOG"], ["LOG", "blog"]), ("^log$", ["log", "logs", "blog"], ["log"]),
      ("!log", ["blog", "tea"], ["tea"]), ("e !^tea", ["tea", "tree"], ["tree"]),
      ("!", ["tea!", "tea"], ["tea!"]), ("^", ["a^", "a"], ["a^"]), ("$", ["a$", "a"], ["a$"]),
    ])
  func `signs at a word mean what they mean in fzf`(typed: String, names: [String], expected: [String]) {
    #expect(found(typed, names) == expected)
  }

  @Test(arguments: ["6per", "perll", "perl 5", "x"])
  func `a name without one of the letters in their order is not found`(typed: String) {
    #expect(FuzzyName(typed).rank(of: "perl6") == nil)
  }

  @Test func `nothing typed is in every name`() {
    #expect(FuzzyName(" ").isEmpty && FuzzyName("").rank(of: "perl6") == 0)
    #expect(FuzzyName("").meant(among: ["perl6"]) == [])
  }

  @Test func `the only name that contains the text is meant, else each that has its letters`() {
    let names = ["gardening", "general", "random"]
    #expect(FuzzyName("gen").meant(among: names) == ["general"])
    #expect(FuzzyName("grl").meant(among: names) == ["general"])
    #expect(FuzzyName("an").meant(among: names) == ["random"])
    #expect(FuzzyName("n").meant(among: names).count == 3)
  }

  @Test func `of a very long name the first letters are compared`() {
    let name = String(repeating: "ab", count: 10_000)
    #expect(FuzzyName(name).rank(of: name) != nil && FuzzyName("b").rank(of: name) != nil)
    #expect(FuzzyName("c").rank(of: name + "c") == nil)
  }

  @Test(arguments: UInt64(0)..<50)
  func `a name is found if and only if it has the letters in order`(seed: UInt64) {
    var state = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    func letters(_ count: Int) -> [Character] {
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return ["a", "B", "-", "1", "é"][Int(state >> 33) % 5]
      }
    }
    for _ in 1...20 {
      let (typed, name) = (letters(3), letters(8))
      var rest = typed.map { $0.lowercased() }[...]
      for letter in name where letter.lowercased() == rest.first { rest.removeFirst() }
      #expect((FuzzyName(String(typed)).rank(of: String(name)) != nil) == rest.isEmpty, "\(typed) \(name)")
    }
  }
}
