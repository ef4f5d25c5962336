import Foundation
import TestSupport
import Testing

/// docs/internals/extending.md lists the places of each addition, and `.ci/additions.d` has a made-up one for each: `make additions`
/// builds them.
@Suite struct ExtendingTests {
  @Test(arguments: try Addition.all) func `what a place is said to have stands in it`(addition: Addition)
    throws
  {
    #expect(!addition.places.isEmpty)
    for place in addition.places {
      let text = try? place.text
      #expect(text != nil, "\(addition.title): \(place.path) is not there")
      for word in place.words { #expect(text?.contains(word) == true, "\(place.path) has no \(word)") }
    }
  }

  @Test(arguments: try Addition.all) func `a list has the files of its patch and no others`(
    addition: Addition
  ) throws {
    var rest = try addition.patch.map(\.path)
    for place in addition.places {
      let own =
        place.isFolder
        ? rest.filter { $0.hasPrefix(place.path) && !exists($0) } : rest.filter { $0 == place.path }
      #expect(!own.isEmpty, "\(addition.title): the patch leaves \(place.path) as it is")
      rest.removeAll(where: own.contains)
    }
    #expect(rest == [], "\(addition.title): the list has not all that the patch changes")
  }

  @Test(arguments: try Addition.all) func `a patch fits the files as they are`(addition: Addition) throws {
    for file in try addition.patch where exists(file.path) {
      let text = "\n" + (try contents(of: file.path))
      for part in file.parts { #expect(text.contains("\n" + part), "\(file.path) has not:\n\(part)") }
    }
  }

  @Test func `each patch is one of a section, and each file that the page names is there`() throws {
    let folder = GoldenFile.root.appending(path: ".ci/additions.d")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(try Addition.all.map { $0.name + ".patch" }.sorted() == names.sorted())
    for addition in try Addition.all {
      for path in addition.named { #expect(exists(path), "\(addition.title): \(path) is not there") }
    }
  }
}

private func exists(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: GoldenFile.root.appending(path: path).path)
}

private func contents(of path: String) throws -> String {
  try String(contentsOf: GoldenFile.root.appending(path: path), encoding: .utf8)
}

/// A section of docs/internals/extending.md.
struct Addition: CustomTestStringConvertible, Sendable {
  let title: String
  /// The name of its patch.
  let name: String
  let places: [Place]
  /// The files and folders that it names, in lists and elsewhere.
  let named: [String]

  var testDescription: String { title }

  static var all: [Addition] {
    get throws {
      let page = try String(
        contentsOf: GoldenFile.root.appending(path: "docs/internals/extending.md"), encoding: .utf8)
      return page.components(separatedBy: "\n## ").dropFirst().map(Addition.init(section:))
    }
  }

  private init(section: String) {
    title = String(section.prefix { $0 != "\n" })
    name = section.firstMatch(of: /additions\.d\/([a-z-]+)\.patch/).map { String($0.1) } ?? ""
    let list = section.components(separatedBy: "\n\n").first { $0.hasPrefix("1. ") } ?? ""
    places = list.split(separator: #/(?:^|\n)\d+\. /#).map { Place(quoted: Self.quoted(String($0))) }
    named = Self.quoted(section).filter { $0.contains(/^(Sources|Tests|Fixtures|docs|\.ci)\//) }
  }

  private static func quoted(_ text: String) -> [String] {
    text.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  /// A numbered line: a path, and what stands there.
  struct Place: Sendable {
    let path: String
    /// The file that has the words: in a folder, one to begin from.
    private let example: String
    let words: ArraySlice<String>

    var isFolder: Bool { path.hasSuffix("/") }

    init(quoted: [String]) {
      path = quoted.first ?? ""
      let isFolder = path.hasSuffix("/")
      example = path + (isFolder ? quoted.dropFirst().first ?? "" : "")
      words = quoted.dropFirst(isFolder ? 2 : 1)
    }

    var text: String { get throws { try contents(of: example) } }
  }

  /// A file that a patch changes.
  struct ChangedFile {
    let path: String
    /// The lines that each change finds, which lie together.
    let parts: [String]
  }

  var patch: [ChangedFile] {
    get throws {
      try contents(of: ".ci/additions.d/\(name).patch").components(separatedBy: "\n+++ b/").dropFirst().map {
        file in
        let parts = file.components(separatedBy: "\n@@ ")
        return ChangedFile(path: parts[0], parts: parts.dropFirst().map(Self.before))
      }
    }
  }

  /// What a change finds: all lines of it that it does not add.
  private static func before(_ change: String) -> String {
    change.components(separatedBy: "\n").dropFirst().prefix { " -+".contains($0.prefix(1)) && !$0.isEmpty }
      .filter { !$0.hasPrefix("+") }.map { $0.dropFirst() + "\n" }.joined()
  }
}
