internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// The options that a source is read with, as the store remembers them: names of options, and values as they were typed.
struct SourceSettings {
  private static let zoneName = "time-zone"

  let values: [String: String]

  /// Takes what was typed.
  init(_ reading: ReadingOptions, zone: String?) {
    var values: [String: String] = [:]
    values["format"] = reading.format
    values["into"] = reading.into
    values["date"] = reading.date
    values["date-order"] = reading.dateOrder
    values["map"] = reading.map.isEmpty ? nil : reading.map.joined(separator: ",")
    values["encoding"] = reading.encoding
    values["me"] = reading.me
    values["keep-original"] = reading.keepOriginal ? "" : nil
    values["allow-future"] = reading.allowFuture ? "" : nil
    values[Self.zoneName] = zone
    self.values = values
  }

  /// Takes what a store remembers.
  init(_ source: StoredSource) { values = source.settings }

  /// As they are typed, in order.
  var text: String {
    values.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? "--\($0.key)" : "--\($0.key) \($0.value)" }
      .joined(separator: " ")
  }

  /// Returns the options of an import that they mean.
  ///
  /// - Throws: ``UsageError`` if a later version has remembered them.
  func options(in shell: Shell) throws -> ImportOptions {
    var arguments: [String] = []
    for (name, value) in values where name != Self.zoneName {
      // What is typed so is a value even if it begins like an option.
      arguments.append(value.isEmpty ? "--\(name)" : "--\(name)=\(value)")
    }
    guard let reading = try? ReadingOptions.parse(arguments) else {
      throw UsageError(
        "cannot follow with \(text)", cause: "another version of Scrollback has remembered these options")
    }
    var common = CommonOptions()
    common.timeZone = values[Self.zoneName]
    return try reading.options(zone: try common.zone(in: shell), in: shell)
  }
}

extension CommonOptions {
  /// Opens the store, which is made if sources are named that are there.
  ///
  /// - Throws: ``UsageError`` with status 66 for a path that is not there, and ``StoreError``.
  func storeOfSources(_ paths: [String], in shell: Shell) throws -> SynchronousMessageStore {
    if paths.isEmpty { return try writableStore(in: shell) }
    for path in paths { _ = try Self.place(of: path) }
    return try writableStore(in: shell, StoreOptions())
  }

  /// Remembers sources in a store. Those that are known stay as they are unless options say otherwise.
  ///
  /// - Throws: ``UsageError`` with status 66 for a path that is not there, and for options that make no sense.
  func add(
    _ paths: [String], _ reading: ReadingOptions, to store: SynchronousMessageStore, in shell: Shell
  ) throws -> [StoredSource] {
    let settings = SourceSettings(reading, zone: timeZone)
    // It says what is wrong with a format or a map.
    _ = try ImportReader([], options: try reading.options(zone: try zone(in: shell), in: shell))
    return try paths.map { path in
      let place = try Self.place(of: path)
      return try store.addSource(place, settings: settings.values)
    }
  }

  /// Returns the absolute path of what was named, which must be there.
  private static func place(of path: String) throws -> String {
    let place = URL(fileURLWithPath: PathText.expanded(path)).standardizedFileURL.path
    guard path != "-" else {
      throw UsageError(
        "standard input cannot be followed", remedy: "scrollback append takes lines from it as they come")
    }
    guard PathBytes.withBytes(of: place, { access($0, F_OK) }) == 0 else {
      throw UsageError(
        "cannot follow '\(PathBytes.shown(path))'", cause: "No such file or directory", status: .noSuchFile)
    }
    return place
  }
}
