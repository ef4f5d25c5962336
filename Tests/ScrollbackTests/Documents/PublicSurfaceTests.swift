import Foundation
import TestSupport
import Testing

/// What is public in the libraries is written down in docs/api, a line a declaration; docs/interfaces.md says what a change of
/// it means.
@Suite struct PublicSurfaceTests {
  @Test func `what is public is what docs/api says`() throws {
    let graphs = try SymbolGraph.ofLibraries()
    let surfaces = Dictionary(grouping: graphs.flatMap(\.lines), by: \.module)
    #expect(surfaces.count == 14)
    let folder = GoldenFile.root.appending(path: "docs/api")
    for (module, lines) in surfaces {
      let file = GoldenFile(folder.appending(path: "\(module).txt").path)
      let difference = try file.difference(
        fromInterface: lines.map(\.text),
        titled: "What is public in \(module), a line each; `make api` writes it.")
      #expect(difference == nil, "\(difference ?? "")")
    }
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(written) == Set(surfaces.keys.map { "\($0).txt" }))
  }

  /// A type is a declaration of one; the lines of a type are those that begin with its name.
  @Test func `one import brings at most 900 declarations and 120 types, none of them empty`() throws {
    let kit = try String(
      contentsOf: GoldenFile.root.appending(path: "Sources/Kit/ScrollbackKit/ScrollbackKit.swift"),
      encoding: .utf8)
    let modules = kit.matches(of: /@_exported public import (\w+)/).map { String($0.1) }
    let lines = try modules.flatMap { module in
      try String(contentsOf: GoldenFile.root.appending(path: "docs/api/\(module).txt"), encoding: .utf8)
        .split(separator: "\n").dropFirst().map(String.init)
    }
    let types = lines.compactMap {
      $0.firstMatch(of: /^([\w.]+): (@\w+ )*(indirect |final )*(struct|enum|class|actor|protocol)\s/)?.1
    }
    #expect(modules.count == 4 && lines.count <= 900 && types.count <= 120)
    #expect(types.filter { type in !lines.contains { $0.hasPrefix(type + ".") } } == [])
  }
}

/// The symbols of a library, as the compiler writes them for tools of documentation.
private struct SymbolGraph: Decodable {
  var symbols: [Symbol]
  var relationships: [Relationship]

  struct Symbol: Decodable {
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var location: Location?
  }

  struct Identifier: Decodable { var precise: String }

  struct Fragment: Decodable { var spelling: String }

  struct Location: Decodable {
    var uri: String
    var position: Position
  }

  /// Lines are counted from 0.
  struct Position: Decodable { var line: Int }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var targetFallback: String?
  }

  /// Returns the graphs of the libraries as this build made them.
  static func ofLibraries() throws -> [SymbolGraph] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-api-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      GoldenFile.root.appending(path: ".ci/symbols").path, folder.path, BuiltProduct.folder.path,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
      try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0))
    }
  }

  /// A declaration and the module that it stands in.
  struct Line {
    var module: String
    var text: String
  }

  /// The declarations that stand in our sources, in folders of layers: their paths, what they are, and what a type conforms to.
  var lines: [Line] {
    let conformances = Dictionary(grouping: relationships.filter { $0.kind == "conformsTo" }, by: \.source)
    return symbols.compactMap { symbol in
      guard let uri = symbol.location?.uri, let sources = uri.firstRange(of: "/Sources/"),
        let module = Self.module(of: uri[sources.upperBound...])
      else { return nil }
      var declaration = symbol.declarationFragments.map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if let location = symbol.location, declaration.hasSuffix(Self.setter), Self.isReadOnly(location) {
        declaration = String(declaration.dropLast(Self.setter.count)) + " { get }"
      }
      let protocols = (conformances[symbol.identifier.precise] ?? []).compactMap(\.targetFallback)
        .compactMap { $0.split(separator: ".").last.map(String.init) }.filter { !Self.implied.contains($0) }
      let kept = protocols.isEmpty ? "" : " [\(protocols.sorted().joined(separator: ", "))]"
      return Line(
        module: String(module), text: "\(symbol.pathComponents.joined(separator: ".")): \(declaration)\(kept)"
      )
    }
  }

  /// Returns the target of a path below Sources: behind its layer, of which one has a folder more.
  private static func module(of path: Substring) -> Substring? {
    path.split(separator: "/").dropFirst().first { $0 != "Archive" }
  }

  private static let setter = " { get set }"

  /// Whether only the library sets a property: the compiler drops `private(set)` where a macro has made accessors.
  private static func isReadOnly(_ location: Location) -> Bool {
    guard let url = URL(string: location.uri), let text = try? String(contentsOf: url, encoding: .utf8) else {
      return false
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = location.position.line
    return lines.indices.contains(line) && lines[line].contains("(set) var ")
  }

  /// What the compiler adds by itself.
  private static let implied: Set<String> = ["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"]
}
