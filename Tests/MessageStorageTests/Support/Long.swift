import Foundation

/// Whether the long form of each test is wanted (`make test-long`).
let isLong = ProcessInfo.processInfo.environment["SCROLLBACK_LONG"] == "1"
