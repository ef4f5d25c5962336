/// sigtop's JSON of Signal Desktop, a file per conversation.
struct SignalDesktopFormat: ImportFormat {
  let name = "signal"
  let title = "Signal, as sigtop exports it in JSON"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "[") else { return 0 }
    return sample.has("\"conversationId\"") && sample.has("\"sent_at\"") ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(SignalDesktopHistory(file: file, options: options), file: file)
  }
}

/// signal-export's JSON Lines.
struct SignalExportFormat: ImportFormat {
  let name = "signal-export"
  let title = "Signal, as signal-export writes it in JSON"
  static let fileName = "data.json"

  func score(_ sample: FormatSample) -> Int {
    let fitting = sample.percent { line in
      line.has("{") && JSONFields(line).map { $0["sender"] != nil && Self.isOurs($0) } ?? false
    }
    return fitting >= 50 ? 95 : 0
  }

  private static func isOurs(_ fields: JSONFields) -> Bool {
    fields["date"] != nil && fields["body"] != nil && fields["quote"] != nil && fields["reactions"] != nil
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(SignalExportHistory(file: file, options: options), file: file)
  }
}

/// signal-export's Markdown.
struct SignalChatFormat: MultiFileFormat {
  let name = "signal-chat"
  let title = "Signal, as signal-export writes it in Markdown"
  let whole = "the data.json beside it, which says the same more exactly"
  private static let fileName = "chat.md"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first, first.withUnsafeBytes({ SignalChatHeader($0) != nil }),
      !IRCDialect.isBotLog(sample), !ProgramLog.fits(sample)
    else { return 0 }
    return sample.name == Self.fileName || sample.name.hasSuffix(".md") ? 95 : 88
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SignalChatReader(file: file, options: options)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    !sample.isFormatNamed && sample.name == Self.fileName
      && companions.has(SignalExportFormat.fileName, in: sample.folder)
  }
}

/// signalbackup-tools' table of messages.
struct SignalBackupFormat: ImportFormat {
  let name = "signal-backup"
  let title = "Signal, as signalbackup-tools exports its messages in CSV"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first else { return 0 }
    let header = String(decoding: first, as: UTF8.self)
    return ["thread_id", "date_sent", "from_recipient_id", "body"].allSatisfy(header.contains) ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SignalBackupReader(file: file, options: options)
  }
}
