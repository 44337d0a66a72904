SELECT report_progress FROM report_progress($1, $2, $3, $4)
