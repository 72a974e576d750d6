{{- define "gateway.labels" -}}
app.kubernetes.io/part-of: gateway
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "gateway.secret" -}}
{{ default .root.Release.Name .root.Values.existingSecretPrefix }}-{{ .name }}
{{- end }}
