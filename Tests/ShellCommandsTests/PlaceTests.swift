import Foundation
import ShellTesting
import Testing

/// From a shell into the window, and back: places and ids.
struct PlaceTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 200)
    try fixture.run(["append", "-c", "other", "--create", "--from", "carol", "elsewhere"])
  }

  private func id(of text: String) throws -> String {
    let answer = try fixture.run(["search", "\"\(text)\"", "--ids"]).output
    let first = try #require(answer.split(separator: " ").first)
    #expect(first.hasPrefix("#"))
    return String(first.dropFirst())
  }

  @Test func `search --ids begins lines with ids, which show and open take`() throws {
    let answer = try fixture.run(["search", "message", "--ids", "--limit", "3", "-cgeneral"])
    let lines = answer.output.split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines { #expect(line.hasPrefix("#") && line.contains("  2024-05-01 ")) }
    let id = try self.id(of: "message 100")
    #expect(try fixture.run(["show", "#\(id)"]).output.contains("message 100"))
  }

  @Test func `show --context shows the neighbours with their ids`() throws {
    let id = try self.id(of: "message 100")
    let lines = try fixture.run(["show", "#\(id)", "--context", "2"]).output.split(separator: "\n").suffix(5)
    #expect(lines.map { String($0.prefix(3)) } == ["  #", "  #", "> #", "  #", "  #"], "\(lines)")
    #expect(lines.map { $0.split(separator: " ").last ?? "" } == ["98", "99", "100", "101", "102"])
    #expect(try fixture.run(["show", id, "--context", "2", "--json"]).status == 64)
  }

  @Test func `open --goto begins at an id, a number, a part of the way or a date, in a script too`() throws {
    let id = try self.id(of: "message 100")
    func place(_ arguments: [String]) throws -> String {
      let answer = try fixture.run(["open"] + arguments, input: "/older 1\n")
      #expect(answer.status == 0, "\(answer)")
      return answer.output.split(separator: "\n").map { $0.split(separator: " ").last.map(String.init) ?? "" }
        .joined(separator: " ")
    }
    #expect(try place(["--goto", "#\(id)"]) == "100 99")
    #expect(try place(["--goto", id]) == "100 99")
    #expect(try place(["-c", "general", "--goto", "100"]) == "100 99")
    #expect(try place(["general", "--goto", "2024-05-01 01:39"]) == "100 99")
    #expect(try place(["general", "--goto=50%"]) == "101 100")
    // An id alone opens the conversation that it is in.
    let other = try self.id(of: "elsewhere")
    #expect(try fixture.run(["open", "--goto", other], input: "").output.contains("elsewhere"))
    #expect(try fixture.run(["open", "--goto", "nowhere"], input: "").status == 64)
    #expect(try fixture.run(["open", "--goto", "#17"], input: "").status == 1)
  }
}

/// What is given as a place and may have a password in it.
@Suite struct PlacePasswordTests {
  @Test(arguments: [
    ["tail", "--store", "PLACE"], ["conversations", "--store", "PLACE"], ["check", "--store", "PLACE"],
    ["import", "PLACE"], ["follow", "PLACE"], ["sync", "PLACE"], ["publish", "PLACE"], ["restore", "PLACE"],
    ["backup", "PLACE/none"], ["export", "--format", "text", "-o", "PLACE/none"],
    ["salvage", "PLACE", "-o", "new.db"],
    ["serve", "--store", "PLACE"], ["attach", "#1", "PLACE"],
  ])
  func `no command says the password of an address whose scheme is mistyped`(words: [String]) throws {
    let fixture = try ShellFixture(count: 3)
    for place in ["postgrs://keeper:secret@host/db", "htps:/keeper:secret@host", "x://k%3Asecret@h"] {
      let answer = try fixture.run(words.map { $0.replacing("PLACE", with: place) })
      #expect(answer.status != 0 && !answer.errors.isEmpty, "\(words)")
      #expect(!(answer.output + answer.errors).contains("secret"), "\(answer.errors)")
    }
  }
}
