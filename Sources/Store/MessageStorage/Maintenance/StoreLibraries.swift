internal import CSQLiteShim

#if PCRE2
  internal import CPCRE2
#endif

/// The libraries that stores are made, kept and searched by.
package enum StoreLibraries {
  /// The form of the files that are written, as docs/file-format.md numbers them.
  package static var schemaVersion: Int { Int(Schema.version) }

  /// Their names and versions.
  package static var versions: [String] { ["SQLite \(String(cString: sqlite3_libversion()))"] + expressions }

  #if PCRE2
    private static var expressions: [String] {
      let room = 64
      // With the day of its release behind it.
      var version = [UInt8](repeating: 0, count: room)
      let length = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil)
      if (1...Int32(room)).contains(length) { pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &version) }
      let words = String(decoding: version.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
      return ["PCRE2 \(words.first ?? "?")"]
    }
  #else
    private static var expressions: [String] { [] }
  #endif
}
