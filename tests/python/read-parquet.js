// SPDX-License-Identifier: BSD-3-Clause
// Reads a Parquet file with the npm module hyparquet: its rows, its key-value metadata and the types of its columns.
"use strict";

const { pathToFileURL } = require("url");

// JSON has no NaN, and no integers of 64 bits.
function plain(key, value) {
  if (typeof value === "bigint") return Number(value);
  return Number.isNaN(value) ? "NaN" : value;
}

async function main(path) {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } =
    await import(pathToFileURL(require.resolve("hyparquet")));
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const rows = await parquetReadObjects({ file });
  console.log(JSON.stringify({
    rows,
    words: metadata.key_value_metadata,
    types: Object.fromEntries(metadata.schema.map((element) => [element.name, element.type])),
  }, plain));
}

main(process.argv[2]);
