import MessageModel
import Testing

struct NearestTests {
  private let names = ["general", "random", "perl6", "raku"]

  @Test(arguments: [("genral", "general"), ("GENERAL", "general"), ("rkau", "raku"), ("perl", "perl6")])
  func `a slip of the finger is understood`(typed: String, meant: String) {
    #expect(Nearest.name(to: typed, among: names) == meant)
  }

  @Test func `a part of a name is understood where nothing is nearer`() {
    let names = ["lighthouse", "lighthouse keepers", "harbour"]
    #expect(Nearest.name(to: "house", among: names) == "lighthouse")
    #expect(Nearest.name(to: "KEEP", among: names) == "lighthouse keepers")
    #expect(Nearest.name(to: "h", among: names) == nil)
  }

  @Test(arguments: ["genral", "ra", "l", "perl66", "nothing"])
  func `the nearest name is the first of those that are near`(typed: String) {
    #expect(Nearest.name(to: typed, among: names) == Nearest.names(to: typed, among: names, limit: 3).first)
  }

  @Test(arguments: ["", "xyz", "something else"])
  func `another name is not`(typed: String) {
    #expect(Nearest.name(to: typed, among: names) == nil)
  }
}
